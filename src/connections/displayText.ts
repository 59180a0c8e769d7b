const longest = 300;

/**
 * Text of a server as the interface may show it: control, direction and zero-width characters and halves of characters are
 * dropped, white space is one space, and very long text is cut. Not for Markdown: give that plain text through `appendText`.
 */
export function displayText(text: string | null | undefined): string {
  const line = (text ?? '')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '')
    .trim();
  // No half of a character may stay at the cut: no address can hold it, and names become part of addresses.
  return line.length > longest ? `${line.slice(0, longest).replace(/\p{Cs}$/u, '')}…` : line;
}

/** {@link displayText} for places that draw `$(icon)` in text: quick picks, the status bar and buttons. */
export function iconSafeText(text: string | null | undefined): string {
  return displayText(text).replaceAll('$(', '$\u2009(');
}
