import type { Handlers } from '../calls/handlers.ts';
import { adminOnly } from '../calls/permissions.ts';
import { textOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';

/** Handlers of licences and of the installation's identifier. API description, Licensing. */
export const licenceHandlers: Handlers = {
  'LicenseManager/RefreshInstalledLicenses': adminOnly(() => ({ returncode: 0, message: 'Licenses refreshed.' })),
  'LicenseManager/GetInstallationID': (_body, { store }) => installationId(store),
};

/** Six groups of four digits joined by hyphens; the same for the life of the data folder. */
export function installationId(store: Store): string {
  const row = store.get('SELECT identifier FROM installation');
  if (!row) throw new Error('The installation has no identifier');
  return textOf(row, 'identifier');
}
