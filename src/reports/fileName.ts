const longest = 120;
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
  const cut = Array.from(plain).slice(0, longest).join('');
  const trimmed = cut.replace(/^[. ]+|[. ]+$/g, '');
  if (trimmed === '') return 'report';
  return reserved.test(trimmed) ? `_${trimmed}` : trimmed;
}
