import type { EnvelopeVariant } from '../../../contract/endpointRow.ts';
import { readEnvelope, readWholeReply, type Outcome } from '../../../contract/envelope.ts';
import { errorCodes } from '../../../contract/errorCodes.ts';
import { ClientError, type ClientErrorDetails } from '../../clientError.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** The call that a reply belongs to. */
export interface ReplyDetails extends ClientErrorDetails {
  endpoint: string;
  /** Removes the request's secrets from a text: a server may quote what it received. */
  hide: (text: string) => string;
}

/** Characters of a reply shown to the user. */
const excerptLength = 120;
/** Characters searched for secrets before the excerpt is cut. */
const headLength = 64 * 1024;

/** Replies that may contain a token or the passwords of databases and mail servers: no part of them is shown. */
const confidential = /^(login|session|appsettings|smtp|regservers|app)\//i;

/** The error for a reply that breaks the contract. The reply is stored separately from the message, which is logged. */
export function malformed(message: string, text: string, details: ReplyDetails): ClientError {
  const { hide: _hide, ...facts } = details;
  return new ClientError('malformed', message, { ...facts, excerpt: excerpt(text, details) });
}

/** The start of the reply on one line, short enough for a message. */
export function startOf(text: string, { hide }: ReplyDetails): string {
  const line = hide(text.slice(0, headLength))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
}

function excerpt(text: string, details: ReplyDetails): string {
  return confidential.test(details.endpoint) ? l10n.t('{0} characters', text.length) : startOf(text, details);
}

/**
 * @throws {ClientError} of kind refused or notSignedIn when `value`, a whole reply, reports a failure in any spelling.
 */
export function throwIfRefused(value: unknown, envelope: EnvelopeVariant, details: ReplyDetails): void {
  // A rejected token uses the standard fields in every variant.
  throwIfSignedOut(value, details);
  throwIfFailed(readWholeReply(value, envelope), details);
}

/**
 * Rejects a list in which every entry reports a failure: some releases return one instead of an object, also for a
 * rejected token. A list that also has other entries is a list with gaps.
 */
export function throwIfAllFailed(entries: readonly unknown[], envelope: EnvelopeVariant, details: ReplyDetails): void {
  const outcomeOf = (entry: unknown) => [readEnvelope(entry, envelope), readEnvelope(entry, 'standard')];
  if (entries.length === 0 || !entries.every((entry) => outcomeOf(entry).some(({ ok }) => !ok))) return;
  throwIfSignedOut(entries[0], details);
  for (const outcome of outcomeOf(entries[0])) throwIfFailed(outcome, details);
}

function throwIfFailed(outcome: Outcome, details: ReplyDetails): void {
  if (outcome.ok) return;
  const { hide: _hide, ...facts } = details;
  throw new ClientError(
    'refused',
    l10n.t('{0} refused {1} ({2}): {3}', details.server, details.endpoint, outcome.code, outcome.message),
    { ...facts, code: outcome.code, prompt: outcome.prompt },
  );
}

function throwIfSignedOut(value: unknown, { hide: _hide, ...facts }: ReplyDetails): void {
  const outcome = readEnvelope(value, 'standard');
  if (outcome.ok || outcome.code !== errorCodes.notSignedIn) return;
  throw new ClientError('notSignedIn', `${facts.server}: ${outcome.message}`, { ...facts, code: outcome.code });
}
