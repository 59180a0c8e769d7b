import { thisRelease, type Store } from '../store/store.ts';
import { readSettings } from '../store/settings.ts';

/** Product information of the server. API description, Login response and Passport. */
export const product = {
  type: 1,
  version: thisRelease,
  passportVersion: 1,
} as const;

/** Accounts of internal services, which cannot be used to sign in or be created. API description, Authentication. */
const reservedLogins: readonly string[] = ['scheduler', 'service', 'productname', 'analyticsstudio'];

/** Whether a login name is reserved: a fixed one, or the product name from the current settings. */
export function isReservedLogin(store: Store, loginName: string): boolean {
  const name = comparable(loginName);
  return reservedLogins.includes(name) || (name !== '' && name === comparable(readSettings(store).Productname));
}

/** Maps names that look alike to the same text: ignores case, white space, width and invisible characters. */
function comparable(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .toUpperCase()
    .toLowerCase();
}
