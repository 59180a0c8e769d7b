/** What the server says about itself. API description, Login response and Passport. */
export const product = {
  type: 1,
  /** Equals the version in package.json. */
  version: '0.1.0',
  passportVersion: 1,
} as const;

/** Accounts of internal services: nobody signs in with them or may create them. API description, Authentication. */
const reservedLogins: readonly string[] = ['scheduler', 'service'];

/** Whether a login name is reserved. */
export function isReservedLogin(loginName: string): boolean {
  return reservedLogins.includes(loginName.trim().toLowerCase());
}
