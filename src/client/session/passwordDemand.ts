import { isClientError, type ClientErrorKind } from '../clientError.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import { emptyReply } from '../http/reply/rawReply.ts';
import type { EndpointCaller } from '../http/endpointCall.ts';
import type { Session } from './session.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Failures of an account that has to set a new password first. */
const denials: ReadonlySet<ClientErrorKind> = new Set(['refused', 'noPermission']);
/** Refusals are frequent; a demand is rare. */
const looksEveryMs = 60_000;
/** A refusal must not wait long for its reason. */
const lookMs = 5_000;

/**
 * Finds out whether a call was refused because the account must set a new password. A sign-in tells; if the server
 * demands it later, or the password was set elsewhere, only the account's own record does: it is read after a refusal,
 * at most once a minute. API description, User (bforcepasschange).
 */
export class PasswordDemand {
  readonly #session: Session;
  readonly #caller: EndpointCaller;
  #look: Promise<void> = Promise.resolve();
  #lookedAt = -Infinity;
  #token: string | undefined;

  constructor(session: Session, caller: EndpointCaller) {
    this.#session = session;
    this.#caller = caller;
  }

  /** The error to throw instead of `error`: the same, with the demanded password as its reason if it is due. */
  async explain(error: unknown): Promise<unknown> {
    if (!isClientError(error) || error.reason !== undefined || !denials.has(error.kind)) return error;
    // What is refused without a code, such as a form of the request, is not about the account.
    if (error.kind === 'refused' && error.code === undefined) return error;
    if (error.code !== errorCodes.noLicence) await this.#lookOnce();
    return this.#isDue ? error.because('newPassword', l10n.t('Set a new password, then try again.')) : error;
  }

  get #isDue(): boolean {
    const { state } = this.#session;
    return state.kind === 'active' && state.account.demand === 'newPassword';
  }

  /** Calls that are refused at the same time share one look. */
  #lookOnce(): Promise<void> {
    const { shared, now } = this.#session;
    const isRecent = this.#token === shared?.token && now - this.#lookedAt < looksEveryMs;
    if (shared === undefined || isRecent) return this.#look;
    this.#token = shared.token;
    this.#lookedAt = now;
    this.#look = this.#readOwn(shared.token);
    return this.#look;
  }

  async #readOwn(token: string): Promise<void> {
    const { state } = this.#session;
    if (state.kind !== 'active' || state.account.isGuest) return;
    const { userId, demand } = state.account;
    if (userId === '' || demand === 'secondFactor') return;
    try {
      const { value } = await this.#caller.call('Contact/GetContactById', { ContactId: userId }, token, {
        deadlineMs: lookMs,
      });
      if (value === emptyReply || typeof value.bforcepasschange !== 'boolean') return;
      const due = value.bforcepasschange ? ('newPassword' as const) : undefined;
      if (due !== demand && this.#session.shared?.token === token) await this.#session.renewAccount({ demand: due });
    } catch {
      // The refusal is what the user has to know; what else failed changes nothing about it.
    }
  }
}
