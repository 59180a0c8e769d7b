/*
 * What a page saves across window reloads, with a version and a checksum, which earlier releases ignore. Pages have no
 * synchronous hash of their own; FNV-1a notices every changed character.
 */

/** Increase it when earlier releases would misread the state. */
const version = 1;

interface Seal {
  version?: unknown;
  sum?: unknown;
}

/** A page's state as it is saved. */
export function sealKept(state: object): object {
  const { version: _version, sum: _sum, ...content } = state as Seal;
  return { ...content, version, sum: checksum(content) };
}

/** Whether a saved state can be used: `later` if another release saved it in a form of its own. */
export function checkKept(state: unknown): 'whole' | 'damaged' | 'later' {
  if (typeof state !== 'object' || state === null) return 'damaged';
  const { version: saved, sum, ...content } = state as Seal;
  if (typeof saved === 'number' && saved !== version) return 'later';
  // Release 0.1.0 saved neither.
  return sum === undefined || (saved === version && sum === checksum(content)) ? 'whole' : 'damaged';
}

function checksum(content: object): number {
  let sum = 0x811c9dc5;
  for (const character of JSON.stringify(content)) {
    sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return sum >>> 0;
}
