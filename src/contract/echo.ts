import type { Echo } from './endpointRow.ts';
import { idText } from './idText.ts';

/** The object that a request named, and the one that the reply names instead; empty if it names none. */
export interface OtherObject {
  readonly asked: string;
  readonly answered: string;
}

/**
 * Whether a reply is about another object than the request; undefined when it is the right one, or when the request
 * named none because it creates one or is not about a saved object. API description, Endpoints (Common rules).
 */
export function otherObject(
  [askedPath, answeredPath, when]: Echo,
  body: unknown,
  reply: unknown,
): OtherObject | undefined {
  const asked = idText(fieldAt(body, askedPath));
  // The id 0 is that of a folder that is not saved yet.
  if (asked === '' || asked === '0') return undefined;
  const answered = idText(fieldAt(reply, answeredPath));
  if (answered === '' && when === 'ifNamed') return undefined;
  return asked === answered ? undefined : { asked, answered };
}

/** The value at `path`, such as `user.ID`; undefined if it does not exist. */
export function fieldAt(value: unknown, path: string): unknown {
  let current = value;
  for (const name of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[name];
  }
  return current;
}
