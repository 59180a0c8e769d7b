import type { EnvelopeVariant } from '../../../contract/endpointRow.ts';
import { readEnvelope, readWholeReply, type Outcome } from '../../../contract/envelope.ts';
import { errorCodes } from '../../../contract/errorCodes.ts';
import { ClientError, type ClientErrorDetails } from '../../clientError.ts';
import { say } from '../../../l10n/l10n.ts';

/** The call that a reply came to. */
export interface ReplyDetails extends ClientErrorDetails {
  endpoint: string;
  /** Takes out of a text what the request kept secret: a server may quote what it was sent. */
  hide: (text: string) => string;
}

/** Characters of a reply that a user is shown. */
const excerptLength = 120;
/** Characters that are looked at for it: what the request kept secret is taken out before anything is cut. */
const headLength = 64 * 1024;

/** Replies that may hold a token, or the passwords of databases and mail servers: nothing of them is shown. */
const confidential = /^(login|session|appsettings|smtp|regservers|app)\//i;

/** A reply that breaks the contract. What came is kept apart from the message, which goes into logs. */
export function malformed(message: string, text: string, details: ReplyDetails): ClientError {
  const { hide: _hide, ...facts } = details;
  return new ClientError('malformed', message, { ...facts, excerpt: excerpt(text, details) });
}

/** The start of what came, in one line, short enough for a message. */
export function startOf(text: string, { hide }: ReplyDetails): string {
  const line = hide(text.slice(0, headLength))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
}

function excerpt(text: string, details: ReplyDetails): string {
  return confidential.test(details.endpoint) ? say('{0} characters', text.length) : startOf(text, details);
}

/** @throws {ClientError} of kind refused or notSignedIn when `value`, a whole reply, tells of a failure in any spelling. */
export function throwIfRefused(value: unknown, envelope: EnvelopeVariant, details: ReplyDetails): void {
  // Whatever the variant, a rejected token answers with the standard fields.
  throwIfSignedOut(value, details);
  throwIfFailed(readWholeReply(value, envelope), details);
}

/**
 * Refuses a list of which every entry tells of a failure: some releases answer so in place of an object, also to a
 * rejected token. One that holds others too is a list with gaps.
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
    say('{0} refused {1} ({2}): {3}', details.server, details.endpoint, outcome.code, outcome.message),
    { ...facts, code: outcome.code, prompt: outcome.prompt },
  );
}

function throwIfSignedOut(value: unknown, { hide: _hide, ...facts }: ReplyDetails): void {
  const outcome = readEnvelope(value, 'standard');
  if (outcome.ok || outcome.code !== errorCodes.notSignedIn) return;
  throw new ClientError('notSignedIn', `${facts.server}: ${outcome.message}`, { ...facts, code: outcome.code });
}
