/** HTML that may stand in a page as it is; only {@link html} makes it. */
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

/** What may be put into HTML: text is escaped, markup stays, lists are joined, nothing is left out. */
export type Insert = string | number | Markup | readonly Insert[] | null | undefined;

/** HTML in which every inserted text is escaped; for contents of elements and for attributes in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Insert[]): Markup {
  return Markup.of(strings, values);
}

function written(value: Insert): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(written).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
