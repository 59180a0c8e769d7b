import { thisRelease, type Store } from '../store/store.ts';
import { readSettings } from '../store/settings.ts';

/** What the server says about itself. API description, Login response and Passport. */
export const product = {
  type: 1,
  version: thisRelease,
  passportVersion: 1,
} as const;

/** Accounts of internal services: nobody signs in with them or may create them. API description, Authentication. */
const reservedLogins: readonly string[] = ['scheduler', 'service', 'productname', 'analyticsstudio'];

/** Whether a login name is reserved: a fixed one, or the product's name as the settings have it now. */
export function isReservedLogin(store: Store, loginName: string): boolean {
  const name = comparable(loginName);
  return reservedLogins.includes(name) || (name !== '' && name === comparable(readSettings(store).Productname));
}

/** Names that read alike, whatever their case, white space, width and invisible characters. */
function comparable(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .toUpperCase()
    .toLowerCase();
}
