/**
 * Words for the kinds in URIs and file names, as in `Tenants.policy.json`: the kinds themselves load with the contract,
 * these do not.
 */
export const kindNames: readonly string[] = [
  ...['policy', 'tag', 'group', 'user', 'profile', 'folder', 'report'],
  ...['server', 'reporttype', 'smtp', 'settings', 'audit'],
];
