const longest = 120;
/** File systems take 255 bytes, of which endings and the details of an export need some. */
const longestBytes = 200;
/** Names that Windows keeps for devices, with any ending. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * A name of a report as the name of a file, without its ending: nothing that separates folders, that a file system
 * refuses or that hides; never empty. Case and letters stay.
 */
export function fileName(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    .replace(/[/\\:*?"<>|\u2044\u2215\u29f8\uff0f\uff3c]/g, '-')
    .replace(/\s+/g, ' ');
  const cut = cutToBytes(Array.from(plain).slice(0, longest));
  const trimmed = cut.replace(/^[. ]+|[. ]+$/g, '');
  if (trimmed === '') return 'report';
  return reserved.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** As many characters from the start as fit into {@link longestBytes}. */
function cutToBytes(characters: readonly string[]): string {
  let bytes = 0;
  const end = characters.findIndex((character) => (bytes += Buffer.byteLength(character)) > longestBytes);
  return (end < 0 ? characters : characters.slice(0, end)).join('');
}
