/** How rows are written as text: what stands around cells, and which texts cannot be copied as they are. */
export interface TextFormat {
  /** Before the first row, with the columns' titles. */
  head(columns: readonly TextColumn[]): string;
  /** Behind the last row. */
  tail: string;
  rowStart: string;
  rowEnd: string;
  /** Between two rows. */
  rowGap: string;
  /** Before the cell of a column; the first cell of a row has no gap before it. */
  cellStart(column: TextColumn): string;
  cellGap: string;
  /** A cell without a value; undefined leaves cells out that the row does not have. */
  missing: string | undefined;
  null: string;
  /** Around a text that needs no escaping. */
  quote: string;
  /** A text with everything around it that it needs. */
  text(text: string): string;
  /** The JSON text of an object or array. */
  json(text: string): string;
  /** Bytes of UTF-8 that a text can hold without escaping: 1 for those, and for the first byte, which may be choosier. */
  plain: Uint8Array;
  plainFirst: Uint8Array;
  /** Whether all escaping there is, where the first byte needs none, is quotes around the text and doubled ones in it. */
  doublesQuotes: boolean;
  /** How cells are written where there is a single column, if differently. */
  alone?: TextFormat;
}

/** A column as it is written. */
export interface TextColumn {
  key: string;
  title: string;
}

/** Numbers may begin with a sign; anything else that begins so is a formula to a spreadsheet. */
const plainNumber = /^ *[+-]?\d+(\.\d+)?([eE][+-]?\d+)? *$/;
/**
 * What begins a formula, behind white space, invisible characters and quotes, which programs leave out as they read a cell.
 * The wide signs begin formulas in the spreadsheets of East Asia.
 */
const formulaStart = /^[\s\p{Cc}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069"']*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/** First bytes in UTF-8 of what may begin a formula. */
const formulaBytes = [...range(0, 0x20), ...Buffer.from('"\'=+-@\x7f'), 0xc2, 0xe1, 0xe2, 0xe3, 0xef];

/** Text that a spreadsheet takes as text: one that it would take for a formula gets an apostrophe. */
export function formulaSafe(text: string): string {
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** What is shown of a number: nothing that a spreadsheet could run, whatever it begins with. */
const shownNumber = /^[+-]?[\d.,'\s\u00a0\u202f]*%?$/;

/** As {@link formulaSafe}, of text as it is shown: formatted numbers stay numbers. */
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

/** @param separators the first is written; a spreadsheet of another language may split at the others as well. */
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
  // Whoever reads a blank line takes it for no row.
  const alone = { ...format, missing: '""', null: '""', text: (raw: string) => text(raw) || '""' };
  return { ...format, alone };
}

/**
 * RFC 4180: commas, quotes where needed, lines that end in CR LF. What holds a semicolon or a tab stands in quotes, too:
 * where these separate cells, what follows them would be a cell of its own, and perhaps a formula.
 */
export const csvFormat = separated(',', ';', '\t');

/** Rows of texts as a CSV file. */
export function csvRows(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const written = (row: readonly string[]) => row.map((cell) => csvFormat.text(cell)).join(csvFormat.cellGap);
  return [titles, ...rows].map((row) => `${written(row)}${csvFormat.rowEnd}`).join('');
}

/** As CSV, behind the byte order mark by which Excel tells UTF-8 from the code page of its computer. */
export const csvWithMark: TextFormat = { ...csvFormat, head: (columns) => `\ufeff${csvFormat.head(columns)}` };

/** As CSV, with tabs. */
export const tsvFormat = separated('\t');

const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join('');

/** An array of objects, one per line, with the columns' keys; a key that a row does not have stays away. */
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

/** Text in a cell of a Markdown table that is shown as it is: no markup, no markdown, no further line. */
export function markdownText(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|&~!$]/g, '\\$&').replace(/\r\n|[\r\n]/g, '<br>');
}

/** A table as GitHub draws it. */
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
