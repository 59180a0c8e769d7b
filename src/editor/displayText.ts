const longest = 300;
/** More of a text is not looked at. */
const looked = 10 * longest;

const dropped = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;

/**
 * Text of a server as a part of what the interface shows: control, direction and zero-width characters and halves of characters are
 * dropped, but for joiners that emoji, Arabic or Indic scripts are written with; white space is one space, and very long text
 * is cut. What the whole text would draw as a link or an icon, the functions of this room take out.
 */
export function displayText(text: string | null | undefined): string {
  const line = withoutUnseen((text ?? '').slice(0, looked).replace(/\s/gu, ' '))
    .replace(/ +/g, ' ')
    .trim();
  // No half of a character may stay at the cut: no address can hold it, and names become part of addresses.
  return line.length > longest ? `${withoutUnseen(line.slice(0, longest))}…` : line;
}

/** Made where the first joiner is met: emoji are many. */
let droppedBesideJoiners: RegExp | undefined;

/** One line without the characters that nothing shows, or that change what other characters look like. */
export function withoutUnseen(text: string): string {
  if (!/[\u200C\u200D]/.test(text)) return text.replace(dropped, '');
  droppedBesideJoiners ??= new RegExp(`(${neededJoiners()})|${dropped.source}`, 'gv');
  return text.replace(droppedBesideJoiners, '$1');
}

/**
 * Joiners that writing needs: in emoji, between letters of Arabic that would join, and beside the sign of an Indic script that
 * takes a consonant its vowel. Elsewhere they are not seen, and could tell apart what looks the same.
 */
function neededJoiners(): string {
  const places = [
    /\p{RGI_Emoji_ZWJ_Sequence}/v,
    // Not after letters that never join with the one behind them.
    /(?<=(?![\u0621-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB\u06CD\u06CF\u06D2-\u06D5\u06EE\u06EF])[\p{L}&&\p{Script=Arabic}]\p{Mn}{0,3})\u200C(?=[\p{L}&&\p{Script=Arabic}])/v,
    /(?<=[\p{L}&&[\u0900-\u0DFF]]\p{Mn}{0,3}[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D](?=[\p{L}&&[\u0900-\u0DFF]])/v,
    /(?<=[\p{L}&&[\u0900-\u0DFF]])\u200D(?=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA][\p{L}&&[\u0900-\u0DFF]])/v,
  ];
  return places.map(({ source }) => source).join('|');
}
