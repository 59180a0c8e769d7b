/** Parts of a name such as `schema.table`, without their quotes, which protect dots. */
export function namePath(name: string): string[] {
  return (name.match(/(?:"(?:[^"]|"")*"|[^.])+/g) ?? []).map(bareName);
}

/** A name without the quotes of any database around it. */
export function bareName(name: string): string {
  const text = name.trim();
  const quoted = /^"((?:[^"]|"")*)"$/.exec(text)?.[1];
  return quoted?.replaceAll('""', '"') ?? text.replace(/^["`[]|["`\]]$/g, '');
}

/** A path as one name that {@link namePath} reads. */
export function pathName(parts: readonly string[]): string {
  return parts.map((part) => (/[."]|^\s|\s$/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join('.');
}
