import type { Node } from 'jsonc-parser';
import { noteOf } from '../notes/notesOf.ts';

/** So many fields of a kind make a text one of it, however many others it has. */
const telling = 3;

/**
 * Whether a file on disk holds an object of a kind, by its fields: half of them, or three, are the kind's. A `$schema` is
 * every program's and counts for nothing. Names such as `dev.settings.json` and `mocha.report.json` are other programs', too.
 * Text that has no field yet may become anything.
 */
export function looksLike(kind: string, root: Node | undefined): boolean {
  if (root?.type !== 'object') return true;
  const names = (root.children ?? [])
    .map(({ children }) => String(children?.[0]?.value))
    .filter((name) => name !== '$schema');
  const known = names.filter((name) => noteOf(kind, name) !== undefined).length;
  return known >= Math.min(telling, Math.ceil(names.length / 2));
}
