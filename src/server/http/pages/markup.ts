/** Safe HTML; only {@link html} creates it. */
export class Markup {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** See {@link html}. */
  static of(strings: TemplateStringsArray, values: readonly Insert[]): Markup {
    const parts = strings.flatMap((literal, index) => [literal, index < values.length ? written(values[index]) : '']);
    return new Markup(parts.join(''));
  }

  toString(): string {
    return this.#text;
  }
}

/** Values to insert into HTML: text is escaped, markup is not, lists are joined, and null and undefined are omitted. */
export type Insert = string | number | Markup | readonly Insert[] | null | undefined;

/** Creates HTML and escapes every inserted text; valid in element contents and in double-quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly Insert[]): Markup {
  return Markup.of(strings, values);
}

function written(value: Insert): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(written).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
