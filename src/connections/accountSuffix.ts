/**
 * The account as it is told beside a server's name: nothing where the name tells it already, as that of the second account
 * on one server does, `Local Server (north.viewer)`.
 */
export function accountSuffix(serverName: string, account: string): string {
  return serverName.includes(`(${account})`) ? '' : account;
}
