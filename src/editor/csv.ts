/** How rows are written as text: separators, quotes, and the texts that need escaping. */
export interface TextFormat {
  /** Written before the first row, with the column titles. */
  head(columns: readonly TextColumn[]): string;
  /** Written after the last row. */
  tail: string;
  rowStart: string;
  rowEnd: string;
  /** Row separator. */
  rowGap: string;
  /** Written before the cell of a column; the first cell of a row has no separator before it. */
  cellStart(column: TextColumn): string;
  cellGap: string;
  /** Written for a cell without a value; undefined omits cells that the row does not have. */
  missing: string | undefined;
  null: string;
  /** Written around text that needs no escaping. */
  quote: string;
  /** The text with all required quotes and escapes. */
  text(text: string): string;
  /** The JSON text of an object or array. */
  json(text: string): string;
  /** 1 for each UTF-8 byte that text may contain without escaping; the set for the first byte may be smaller. */
  plain: Uint8Array;
  plainFirst: Uint8Array;
  /** Whether text whose first byte needs no escaping is escaped only by quoting it and doubling its quotes. */
  doublesQuotes: boolean;
  /** Format of cells in a single-column table, if different. */
  alone?: TextFormat;
}

/** A column to be written. */
export interface TextColumn {
  key: string;
  title: string;
}

/** Numbers may start with a sign; a spreadsheet treats any other text that starts with one as a formula. */
const plainNumber = /^ *[+-]?\d+(\.\d+)?([eE][+-]?\d+)? *$/;
/**
 * The start of a formula: white space, invisible characters and quotes before it are ignored by programs that read the
 * cell. Full-width characters start formulas in East Asian spreadsheets.
 */
const formulaStart = /^[\s\p{Cc}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069"']*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/** First UTF-8 bytes of text that may be a formula. */
const formulaBytes = [...range(0, 0x20), ...Buffer.from('"\'=+-@\x7f'), 0xc2, 0xe1, 0xe2, 0xe3, 0xef];

/** Prefixes text that a spreadsheet would treat as a formula with an apostrophe. */
export function formulaSafe(text: string): string {
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** Displayed form of a number: cannot be evaluated by a spreadsheet, whatever its first character. */
const shownNumber = /^[+-]?[\d.,'\s\u00a0\u202f]*%?$/;

/** {@link formulaSafe} for displayed text: formatted numbers stay numbers. */
export function formulaSafeShown(text: string): string {
  const isNumber = shownNumber.test(text) && !/^[\t\r\n]/.test(text);
  return isNumber ? text : formulaSafe(text);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

function bytesBut(...characters: string[]): Uint8Array {
  const plain = new Uint8Array(256).fill(1);
  for (const character of characters.join('')) plain[character.charCodeAt(0)] = 0;
  return plain;
}

/** @param separators the first is written; a spreadsheet in another locale may also split at the others. */
function separated(...separators: [string, ...string[]]): TextFormat {
  const [separator] = separators;
  const special = [...separators, '"', '\r', '\n'];
  const text = (raw: string) => {
    const safe = formulaSafe(raw);
    return special.some((each) => safe.includes(each)) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const format: TextFormat = {
    head: (columns) => `${columns.map(({ title }) => text(title)).join(separator)}\r\n`,
    tail: '',
    rowStart: '',
    rowEnd: '\r\n',
    rowGap: '',
    cellStart: () => '',
    cellGap: separator,
    missing: '',
    null: '',
    quote: '',
    text,
    json: text,
    plain: bytesBut(...special),
    plainFirst: bytesBut(...special, String.fromCharCode(...formulaBytes)),
    doublesQuotes: true,
  };
  // Readers skip blank lines.
  const alone = { ...format, missing: '""', null: '""', text: (raw: string) => text(raw) || '""' };
  return { ...format, alone };
}

/**
 * RFC 4180: commas, quotes where needed, CR LF line endings. Text with a semicolon or tab is quoted, too: a spreadsheet
 * that splits at these would create a new cell, possibly a formula.
 */
export const csvFormat = separated(',', ';', '\t');

/** Writes rows of text as a CSV file. */
export function csvRows(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const written = (row: readonly string[]) => row.map((cell) => csvFormat.text(cell)).join(csvFormat.cellGap);
  return [titles, ...rows].map((row) => `${written(row)}${csvFormat.rowEnd}`).join('');
}

/** CSV with a byte order mark, by which Excel distinguishes UTF-8 from the system code page. */
export const csvWithMark: TextFormat = { ...csvFormat, head: (columns) => `\ufeff${csvFormat.head(columns)}` };

/** Tab-separated values. */
export const tsvFormat = separated('\t');

const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join('');

/** A JSON array with one object per line, keyed by column; keys that a row does not have are omitted. */
export const jsonFormat: TextFormat = {
  head: () => '[\n',
  tail: '\n]\n',
  rowStart: '{',
  rowEnd: '}',
  rowGap: ',\n',
  cellStart: ({ key }) => `${JSON.stringify(key)}:`,
  cellGap: ',',
  missing: undefined,
  null: 'null',
  quote: '"',
  text: (text) => JSON.stringify(text),
  json: (text) => text,
  plain: bytesBut('"\\', controls),
  plainFirst: bytesBut('"\\', controls),
  doublesQuotes: false,
};

const markdownSpecial = '\\`*_{}[]<>#|&~!$';

/** Escapes text for a cell of a Markdown table: no markup, no line breaks. */
export function markdownText(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|&~!$]/g, '\\$&').replace(/\r\n|[\r\n]/g, '<br>');
}

/** A table in GitHub Flavored Markdown. */
export const markdownFormat: TextFormat = {
  head: (columns) => {
    const titles = columns.map(({ title }) => ` ${markdownText(title)} `);
    return `|${titles.join('|')}|\n|${titles.map(() => ' --- ').join('|')}|\n`;
  },
  tail: '',
  rowStart: '| ',
  rowEnd: ' |\n',
  rowGap: '',
  cellStart: () => '',
  cellGap: ' | ',
  missing: '',
  null: '',
  quote: '',
  text: markdownText,
  json: markdownText,
  plain: bytesBut(markdownSpecial, '\r\n'),
  plainFirst: bytesBut(markdownSpecial, '\r\n'),
  doublesQuotes: false,
};
