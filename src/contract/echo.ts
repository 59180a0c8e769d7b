import type { Echo } from './endpointRow.ts';
import { idText } from './idText.ts';

/** What a request named, and what the reply names instead: empty where it names nothing. */
export interface OtherObject {
  readonly asked: string;
  readonly answered: string;
}

/**
 * Whether a reply is about another object than the one the request named; undefined when it is the right one, or when the
 * request named none because it creates one or is about none that is saved. API description, Endpoints (Common rules).
 */
export function otherObject(
  [askedPath, answeredPath, when]: Echo,
  body: unknown,
  reply: unknown,
): OtherObject | undefined {
  const asked = idText(fieldAt(body, askedPath));
  // An id of 0 is a folder's that is not saved yet.
  if (asked === '' || asked === '0') return undefined;
  const answered = idText(fieldAt(reply, answeredPath));
  if (answered === '' && when === 'ifNamed') return undefined;
  return asked === answered ? undefined : { asked, answered };
}

/** The value at `path`, as `user.ID`; undefined where there is none. */
export function fieldAt(value: unknown, path: string): unknown {
  let current = value;
  for (const name of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[name];
  }
  return current;
}
