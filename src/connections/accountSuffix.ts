/**
 * Account to show after a server's name; empty if the name already contains it, as for a second account on one server:
 * `Local Server (north.viewer)`.
 */
export function accountSuffix(serverName: string, account: string): string {
  return serverName.includes(`(${account})`) ? '' : account;
}
