import type { Handlers } from '../calls/handlers.ts';
import { adminOnly } from '../calls/permissions.ts';
import { seatsOf } from '../identity/licences.ts';
import type { ApplicationNames } from '../identity/userRecords.ts';
import { textOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';

/** Handlers of licences and of the installation's identifier. API description, Licensing. */
export function createLicenceHandlers(applicationNames: ApplicationNames): Handlers {
  return {
    // Seats are counted afresh whenever they matter, so there is nothing else to refresh.
    'LicenseManager/RefreshInstalledLicenses': adminOnly((_body, { store }) => {
      const seats = [...applicationNames(store).keys()].map((id) => seatsOf(store, id));
      const licensed = seats.reduce((sum, one) => sum + one.licensed, 0);
      const consumed = seats.reduce((sum, one) => sum + one.consumed, 0);
      return { returncode: 0, message: `Licenses refreshed: ${consumed} of ${licensed} seats are taken.` };
    }),
    'LicenseManager/GetInstallationID': (_body, { store }) => installationId(store),
  };
}

/** Six groups of four digits joined by hyphens; the same for the life of the data folder. */
export function installationId(store: Store): string {
  const row = store.get('SELECT identifier FROM installation');
  if (!row) throw new Error('The installation has no identifier');
  return textOf(row, 'identifier');
}
