const narrowest = 64;
const widest = 360;
/** Widths of an average character and of what surrounds the text, in pixels, at the editor's usual font size. */
const titleCharacter = 7.6;
const cellCharacter = 7.1;
const titleSpace = 38;
const cellSpace = 24;

/** Width in pixels that suits a column with this title and these texts, of which some first ones are enough. */
export function columnWidth(title: string, texts: Iterable<string | null>): number {
  let longest = 0;
  for (const text of texts) longest = Math.max(longest, (text ?? '').length);
  const needed = Math.max(title.length * titleCharacter + titleSpace, longest * cellCharacter + cellSpace);
  return Math.round(Math.min(Math.max(narrowest, needed), widest));
}
