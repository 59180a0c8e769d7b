import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { duckdbLibrary } from './duckdbLibrary.ts';
import { packedLinks } from './packedLinks.ts';
import type { Target } from './targets.ts';

/** In media/, for who works on the project alone. */
const forAuthors = /media\/l10n\/(?:README\.md|bundle\.l10n\.json)$/;
const beside = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', '.vscodeignore', 'media'];
/** The sample's database that each kind of package comes without. */
export const sampleLeftOut = { universal: 'sample.duckdb', platform: 'sample.sqlite' };

/** What is staged: the project, the target, and where to. */
export interface Stage {
  root: string;
  target: Target;
  folder: string;
  /** Where fetched libraries are kept. */
  cache: string;
}

/**
 * Lays out what a package of `target` holds: the built project with the library of DuckDB for that platform, or without it
 * and with the smaller sample.
 * @throws Error when the project is not built.
 */
export async function stage({ root, target, folder, cache }: Stage): Promise<void> {
  const dist = path.join(root, 'dist');
  if (!existsSync(path.join(dist, 'extension.js'))) throw new Error('The project is not built: npm run build');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const texts = (await readdir(root)).filter((name) => /^package\.nls.*\.json$/.test(name));
  for (const name of [...beside, ...texts])
    await cp(path.join(root, name), path.join(folder, name), {
      recursive: true,
      filter: (source) => !forAuthors.test(source.replaceAll(path.sep, '/')),
    });
  const readme = path.join(folder, 'README.md');
  const isPacked = (file: string) => existsSync(path.join(folder, file));
  await writeFile(readme, packedLinks(await readFile(readme, 'utf8'), isPacked));
  const leftOut = new Set([
    path.join(dist, 'duckdb'),
    path.join(dist, 'sample', target === 'universal' ? sampleLeftOut.universal : sampleLeftOut.platform),
  ]);
  await cp(dist, path.join(folder, 'dist'), {
    recursive: true,
    filter: (source) => !leftOut.has(source) && !/\.(?:map|vsix|tar\.gz)$/.test(source),
  });
  if (target !== 'universal') await addLibrary(await duckdbLibrary(target, root, cache), folder);
}

async function addLibrary(library: string, folder: string): Promise<void> {
  const to = path.join(folder, 'dist', 'duckdb');
  await mkdir(to);
  for (const name of await readdir(library)) {
    if (/\.(?:node|so|dylib|dll)$|^LICENSE$/.test(name)) await cp(path.join(library, name), path.join(to, name));
  }
}
