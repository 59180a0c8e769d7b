import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

/** Packages whose parts are copied rather than bundled. */
const copied = ['@duckdb/node-api', 'vega-datasets'];
const manifest = z.object({ version: z.string(), license: z.string().optional() });

/**
 * Writes the licence texts of all packages that a build took something from.
 * @param inputs files of the build, relative to `root`.
 * @throws Error when a package brings neither a licence text nor the name of a licence.
 */
export async function writeNotices(root: string, inputs: readonly string[], file: string): Promise<void> {
  const names = new Set([...copied, ...inputs.flatMap((input) => packageOf(input) ?? [])]);
  const notices: string[] = [];
  for (const name of [...names].sort()) notices.push(await notice(path.join(root, 'node_modules', name), name));
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  await writeFile(file, `Analytics Studio contains parts of the packages below.${line}${notices.join(line)}\n`);
}

/** The package that a file belongs to, nested ones with the path to them; undefined for our own files. */
function packageOf(input: string): string | undefined {
  return /(?:^|\/)node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
}

async function notice(folder: string, name: string): Promise<string> {
  const { version, license } = manifest.parse(JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')));
  const entries = await readdir(folder, { withFileTypes: true });
  const named = entries.filter((entry) => entry.isFile() && /^(?:licen[cs]e|notice|copying)/i.test(entry.name));
  const files = named.map((entry) => entry.name).sort();
  const texts = await Promise.all(files.map((each) => readFile(path.join(folder, each), 'utf8')));
  if (texts.length === 0 && license === undefined) throw new Error(`${name} names no licence`);
  const words = texts.length > 0 ? texts.map((text) => text.trim()).join('\n\n') : `Licence: ${license}`;
  return `${name} ${version}\n\n${words}`;
}
