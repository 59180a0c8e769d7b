/**
 * Names of the kinds in URIs and file names, as in `Tenants.policy.json`. Unlike the kinds, they load without the
 * contract.
 */
export const kindNames: readonly string[] = [
  ...['policy', 'tag', 'group', 'user', 'profile', 'folder', 'report', 'dashboard'],
  ...['server', 'reporttype', 'smtp', 'settings', 'audit', 'licence'],
];
