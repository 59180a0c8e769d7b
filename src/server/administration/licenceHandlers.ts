import { idText } from '../../contract/idText.ts';
import type { LicenceRecord } from '../../contract/resources/licence.ts';
import { adminOnly, type Handlers, type SignedInContext } from '../calls/handlers.ts';
import { refusal, requireCollections } from '../calls/wholeObject.ts';
import { licenceOf, licensedSeats, seatsOf, setLicence, setLicensedSeats } from '../identity/licences.ts';
import type { ApplicationNames } from '../identity/userRecords.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';
import { installationId } from './administrationHandlers.ts';

/** Handlers of licences and of the installation's identifier. API description, Licensing. */
export function createLicenceHandlers(applicationNames: ApplicationNames): Handlers {
  return {
    // Seats are always counted from the current roles, so there is nothing to refresh.
    'LicenseManager/RefreshInstalledLicenses': adminOnly((_body, { store }) => {
      const seats = [...applicationNames(store).keys()].map((id) => seatsOf(store, id));
      const licensed = seats.reduce((sum, one) => sum + one.licensed, 0);
      const consumed = seats.reduce((sum, one) => sum + one.consumed, 0);
      return { returncode: 0, message: `Licenses refreshed: ${consumed} of ${licensed} seats are taken.` };
    }),
    'LicenseManager/GetInstallationID': (_body, { store }) => installationId(store),
    'LicenseManager/GetLicence': adminOnly((_body, { store }) => licenceRecord(store, applicationNames)),
    'LicenseManager/SaveLicence': adminOnly(({ licence }: { licence: LicenceRecord }, context) =>
      saveLicence(licence, context, applicationNames),
    ),
  };
}

function licenceRecord(store: Store, applicationNames: ApplicationNames): LicenceRecord {
  const { state, isExpired, seats } = licenceOf(store);
  return {
    ErrorCode: 0,
    ErrorMessage: '',
    State: state,
    IsExpired: isExpired,
    Seats: seats,
    Applications: [...applicationNames(store)].map(([id, ApplicationName]) => ({
      ApplicationID: id,
      ApplicationName,
      Seats: licensedSeats(store, id),
      TakenSeats: seatsOf(store, id).consumed,
    })),
  };
}

/**
 * Sets the licence to rehearse: seats of single applications are stored, the rest lasts until the server stops. Fewer
 * seats than are taken are allowed: the next role is refused.
 */
function saveLicence(sent: LicenceRecord, context: SignedInContext, applicationNames: ApplicationNames): LicenceRecord {
  const { store } = context;
  requireCollections(sent, 'The licence', ['Applications']);
  const seats = checkedSeats(sent.Seats, 'Seats');
  const state = checkedState(sent.State);
  if (typeof sent.IsExpired !== 'boolean') throw refusal('IsExpired must be true or false.');
  const isExpired = sent.IsExpired;
  const names = applicationNames(store);
  const own = (sent.Applications ?? []).map(({ ApplicationID, Seats }) => {
    const id = idText(ApplicationID);
    const name = names.get(id);
    if (name === undefined) throw refusal(`There is no application with the id ${id || '(none)'}.`);
    return { id, seats: Seats === null || Seats === undefined ? null : checkedSeats(Seats, `Seats of ${name}`) };
  });
  store.transaction(() => {
    for (const { id, seats: quantity } of own) setLicensedSeats(store, id, quantity);
    const words = `saved licence: ${isExpired ? 'expired' : 'valid'}, ${seats} seats per application, state ${state}`;
    context.audit(auditSymbols.change, words);
  });
  setLicence(store, { seats, isExpired, state });
  return licenceRecord(store, applicationNames);
}

const mostSeats = 999_999_999;

function checkedSeats(value: number | null | undefined, field: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostSeats) return value;
  throw refusal(`${field} must be a whole number from 0 to ${mostSeats}.`);
}

function checkedState(value: string | null | undefined): string {
  if (value && value.length <= 40 && /^\S(.*\S)?$/.test(value)) return value;
  throw refusal('State must be 1 to 40 characters, such as Normal.');
}
