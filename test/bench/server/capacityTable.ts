import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const markdown = ([header = [], ...lines]: readonly string[][]) =>
  [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Prints a table, and writes it between its marks in src/server/README.md when `WRITE_TABLE` is set. */
export function show(name: string, table: readonly string[][]): void {
  const text = markdown(table);
  console.log(`${name}\n${text}`);
  if (!process.env.WRITE_TABLE) return;
  const file = path.join(import.meta.dirname, '../../../src/server/README.md');
  const mark = new RegExp(`(<!-- ${name}: begin[^>]*-->\\n\\n)[^]*?(<!-- ${name}: end -->)`);
  const replaced = (_all: string, begin: string, end: string) => `${begin}${text}\n\n${end}`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(mark, replaced));
}
