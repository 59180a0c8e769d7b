import { inflateRawSync } from 'node:zlib';

/** What a cell of a workbook holds: text, a number, a truth value, or nothing. */
export type ReadCell = string | number | boolean | null;

/** A sheet as another program reads it. */
export interface ReadSheet {
  name: string;
  rows: ReadCell[][];
  /** Whether any cell is a formula. */
  hasFormulas: boolean;
}

interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
}

/** What is told of a part's elements, in their order. */
interface ElementListener {
  open?(element: Element): void;
  /** @param text all that stands between the tags of an element without others inside. */
  close?(name: string, text: string): void;
}

/**
 * Reads an XLSX file as ECMA-376 has it, without the library that wrote it: by the archive's directory, the relations of the
 * workbook and the sheets themselves. Takes what we write, inline texts, and no more.
 * @throws Error where the file is not well formed.
 */
export function readWorkbook(file: Buffer): ReadSheet[] {
  const parts = readArchive(file);
  const part = (name: string): string => {
    const bytes = parts.get(name);
    if (bytes === undefined) throw new Error(`the workbook has no ${name}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  };
  const targets = new Map<string, string>();
  readElements(part('xl/_rels/workbook.xml.rels'), {
    open: ({ attributes }) => targets.set(attributes.Id ?? '', attributes.Target ?? ''),
  });
  const types = new Set<string>();
  readElements(part('[Content_Types].xml'), { open: ({ attributes }) => types.add(attributes.PartName ?? '') });
  const sheets: ReadSheet[] = [];
  readElements(part('xl/workbook.xml'), {
    open: ({ name, attributes }) => {
      if (name !== 'sheet') return;
      const path = `xl/${targets.get(attributes['r:id'] ?? '') ?? ''}`;
      if (!types.has(`/${path}`)) throw new Error(`${path} has no content type`);
      sheets.push({ name: unescaped(attributes.name ?? ''), ...readSheet(part(path)) });
    },
  });
  return sheets;
}

function readSheet(xml: string): Omit<ReadSheet, 'name'> {
  const rows: ReadCell[][] = [];
  let cell: Element['attributes'] = {};
  let hasFormulas = false;
  const put = (value: ReadCell) => {
    const [, letters = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(cell.r ?? '') ?? [];
    const line = (rows[Number(row) - 1] ??= []);
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    while (line.length < column) line.push(null);
    line[column] = value;
  };
  readElements(xml, {
    open: ({ name, attributes }) => {
      if (name === 'c') cell = attributes;
      if (name === 'row') rows[Number(attributes.r) - 1] ??= [];
      if (name === 'f') hasFormulas = true;
    },
    close: (name, text) => {
      if (name === 't' && cell.t === 'inlineStr') put(unescaped(text));
      if (name === 'v') put(cell.t === 'b' ? text === '1' : Number(text));
    },
  });
  // Rows without cells are not written.
  return { rows: Array.from(rows, (row) => row ?? []), hasFormulas };
}

/** The files of a ZIP archive, by its directory at the end, with the numbers of 64 bits where it has them. */
function readArchive(file: Buffer): Map<string, Buffer> {
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  const locator = file.lastIndexOf('PK\x06\x07', end, 'latin1');
  if (locator >= 0) {
    const large = Number(file.readBigUInt64LE(locator + 8));
    count = Number(file.readBigUInt64LE(large + 32));
    at = Number(file.readBigUInt64LE(large + 48));
  }
  const parts = new Map<string, Buffer>();
  for (; count > 0; count--) {
    if (file.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw new Error('the directory of the archive is broken');
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((place) => file.readUInt16LE(at + place));
    const nameEnd = at + 46 + (nameLength ?? 0);
    const name = file.toString('utf8', at + 46, nameEnd);
    const sizes = [24, 20, 42].map((place) => file.readUInt32LE(at + place));
    const extra = file.subarray(nameEnd, nameEnd + (extraLength ?? 0));
    const [size = 0, packed = 0, start = 0] = largeSizes(sizes, extra);
    const data = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
    const bytes = inflateRawSync(file.subarray(data, data + packed));
    if (bytes.length !== size) throw new Error(`${name} is ${bytes.length} bytes long, and not ${size}`);
    parts.set(name, bytes);
    at = nameEnd + (extraLength ?? 0) + (noteLength ?? 0);
  }
  return parts;
}

/** Sizes that do not fit 32 bits stand in the extra field, in their order. */
function largeSizes(sizes: readonly number[], extra: Buffer): number[] {
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return sizes.map((size) => {
    if (size !== 0xffffffff) return size;
    at += 8;
    return Number(extra.readBigUInt64LE(at - 8));
  });
}

/** Reads XML without comments and the like, strictly: what does not close, or is no XML, throws. */
function readElements(xml: string, listener: ElementListener): void {
  const path: string[] = [];
  let text = '';
  let at = 0;
  while (at < xml.length) {
    const start = xml.indexOf('<', at);
    const end = xml.indexOf('>', start);
    if (start < 0 || end < 0) fail(`no tag behind ${at}`);
    text += xml.slice(at, start);
    at = end + 1;
    if (xml[start + 1] === '?') continue;
    const isClosing = xml[start + 1] === '/';
    const isEmpty = xml[end - 1] === '/';
    const tag = xml.slice(start + (isClosing ? 2 : 1), isEmpty ? end - 1 : end);
    const name = isClosing ? tag : (/^[\w:]+/.exec(tag)?.[0] ?? fail(`<${tag}> is no tag`));
    if (!isClosing) {
      path.push(name);
      listener.open?.({ name, attributes: readAttributes(tag.slice(name.length)) });
      text = '';
    }
    if (!isClosing && !isEmpty) continue;
    if (path.pop() !== name) fail(`</${name}> closes nothing`);
    listener.close?.(name, plain(text));
    text = '';
  }
  if (path.length > 0) fail(`<${path.join('> <')}> is not closed`);
}

function readAttributes(tag: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  const attribute = /\s+([\w:]+)="([^"]*)"/y;
  while (attribute.lastIndex < tag.trimEnd().length) {
    const [, name = '', value = ''] = attribute.exec(tag) ?? fail(`${tag} are no attributes`);
    attributes[name] = plain(value);
  }
  return attributes;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function plain(text: string): string {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) fail('a character that XML does not have');
  if (!/[&\r]/.test(text)) return text;
  return text.replace(/\r\n?/g, '\n').replace(/&(#x?)?(\w*);?/g, (entity, sign: string | undefined, name: string) => {
    if (sign !== undefined) return String.fromCodePoint(Number.parseInt(name, sign === '#x' ? 16 : 10));
    return entities[name] ?? fail(`${entity} is no entity`);
  });
}

/** Characters that a workbook writes by their number. */
function unescaped(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function fail(reason: string): never {
  throw new Error(reason);
}
