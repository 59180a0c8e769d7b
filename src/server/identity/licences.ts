import { errorCodes } from '../../contract/errorCodes.ts';
import { CallFailure } from '../calls/handlers.ts';
import { idOf, numberOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';
import { applicationRoleIds } from './applicationRoles.ts';

/** Seats of an application: the total, and the number taken per role. API description, Application (ModuleProfile). */
export interface SeatUse {
  licensed: number;
  consumed: number;
  builders: number;
  agents: number;
  architects: number;
}

/** Licence of a server while it runs: not part of its data. */
export interface Licence {
  /** Seats of each application unless {@link setLicensedSeats} changes them. */
  readonly seats: number;
  /** No more seats can be taken; taken ones are kept. */
  readonly isExpired: boolean;
  /** State of the monthly active users that sign-ins report. API description, Login response (`maustate`). */
  readonly state: string;
}

/** A licence to start a server with. */
export type LicenceOptions = Pick<Licence, 'isExpired'> & { readonly seats: number | undefined };

const defaultLicence: Licence = { seats: 1_000, isExpired: false, state: 'Normal' };

const licences = new WeakMap<Store, Licence>();

/** The licence of the server with this state. */
export function licenceOf(store: Store): Licence {
  return licences.get(store) ?? defaultLicence;
}

/** Sets the licence of the server with this state until it stops; seats are 1,000 if undefined. */
export function setLicence(store: Store, licence: LicenceOptions & Partial<Pick<Licence, 'state'>>): void {
  const { seats = defaultLicence.seats, isExpired, state = defaultLicence.state } = licence;
  licences.set(store, { seats, isExpired, state });
}

const seatKeys: Readonly<Record<string, 'builders' | 'agents' | 'architects'>> = {
  [applicationRoleIds.builder]: 'builders',
  [applicationRoleIds.agent]: 'agents',
  [applicationRoleIds.architect]: 'architects',
};

/** The number of seats that {@link setLicensedSeats} gave an application; null for that of the licence. */
export function licensedSeats(store: Store, applicationId: string): number | null {
  const row = store.get('SELECT quantity FROM licensed_seats WHERE application_id = ?', applicationId);
  return row ? numberOf(row, 'quantity') : null;
}

/** Licensed and taken seats of one application. */
export function seatsOf(store: Store, applicationId: string): SeatUse {
  const use = {
    licensed: licensedSeats(store, applicationId) ?? licenceOf(store).seats,
    consumed: 0,
    builders: 0,
    agents: 0,
    architects: 0,
  };
  const sql = 'SELECT role_id, count(*) AS seats FROM application_role WHERE application_id = ? GROUP BY role_id';
  for (const row of store.all(sql, applicationId)) {
    const key = seatKeys[idOf(row, 'role_id')];
    if (key) use[key] += numberOf(row, 'seats');
    use.consumed += numberOf(row, 'seats');
  }
  return use;
}

/** Sets the number of seats of an application; null for that of the licence. */
export function setLicensedSeats(store: Store, applicationId: string, quantity: number | null): void {
  if (quantity === null) {
    store.run('DELETE FROM licensed_seats WHERE application_id = ?', applicationId);
    return;
  }
  store.run(
    `INSERT INTO licensed_seats (application_id, quantity) VALUES (?, ?)
      ON CONFLICT (application_id) DO UPDATE SET quantity = excluded.quantity`,
    applicationId,
    quantity,
  );
}

/**
 * Checks, after the running transaction assigned roles, that an application has no more seats taken than licensed, and
 * that the licence is not expired.
 * @throws {CallFailure} 200 when it has; this rolls the transaction back.
 */
export function requireSeats(store: Store, applicationId: string, applicationName: string): void {
  const { licensed, consumed } = seatsOf(store, applicationId);
  const name = applicationName || `application ${applicationId}`;
  if (licenceOf(store).isExpired) {
    throw new CallFailure(errorCodes.noLicence, `No licence available: the licence of ${name} has expired.`);
  }
  if (consumed <= licensed) return;
  throw new CallFailure(errorCodes.noLicence, `No licence available: all ${licensed} seats of ${name} are taken.`);
}
