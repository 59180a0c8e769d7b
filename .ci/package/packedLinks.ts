/**
 * A README as it is packed: links to files that the package does not hold become their words, so that none leads nowhere.
 * @param isPacked whether the package holds a file, by its path from the package's root.
 */
export function packedLinks(text: string, isPacked: (file: string) => boolean): string {
  return text.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (link: string, words: string, target: string) => {
    const isElsewhere = /^[a-z]+:/i.test(target) || target.startsWith('#');
    return isElsewhere || isPacked(target.replace(/#.*$/, '')) ? link : words;
  });
}
