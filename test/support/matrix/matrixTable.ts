import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { projectRoot } from '../vscodeHost/paths.ts';

export const matrixColumns = ['happy path', 'bad token', 'missing field', 'no permission', 'malformed object'] as const;
export type MatrixColumn = (typeof matrixColumns)[number];
/** What each column's call was answered. */
export type MatrixRow = Readonly<Record<MatrixColumn, string>>;

const readme = path.join(projectRoot, 'src', 'server', 'http', 'README.md');
const begin = '<!-- matrix: written by `npm run matrix` -->';
const end = '<!-- end of matrix -->';

/** The table as Markdown. @throws Error for a cell that no test filled. */
export function tableOf(paths: readonly EndpointPath[], seen: ReadonlyMap<EndpointPath, Partial<MatrixRow>>): string {
  const rows = paths.map((endpoint) => {
    const row = seen.get(endpoint);
    const cells = matrixColumns.map((column) => {
      const cell = row?.[column];
      if (cell === undefined) throw new Error(`${endpoint}: nothing was seen for "${column}". Run the whole file.`);
      return cell;
    });
    return [endpoint, ...cells];
  });
  const header = ['Endpoint', ...matrixColumns];
  const widths = header.map((title, index) => Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Compares the table with the one in the server's README, or writes it there when `WRITE_MATRIX` is set. */
export async function checkTable(table: string): Promise<void> {
  const text = await readFile(readme, 'utf8');
  const [before, rest] = text.split(begin);
  const [old, after] = rest?.split(end) ?? [];
  if (before === undefined || old === undefined || after === undefined)
    throw new Error(`${readme} has no place for it`);
  if (process.env.WRITE_MATRIX) await writeFile(readme, `${before}${begin}\n\n${table}\n\n${end}${after}`);
  else expect(old.trim(), 'the table in src/server/http/README.md: `npm run matrix` writes it').toBe(table);
}
