import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { runMain } from '../support/run/runMain.ts';
import { projectRoot } from '../support/vscodeHost/paths.ts';
import { mustBeCaught, plantedBugs, type PlantedBug } from './plantedBugs.ts';

/*
 * `npm run mutation [-- PART OF A NAME]`: plants each bug of plantedBugs.ts in a copy of the project and runs the tests that reach
 * it, cheapest tier first, until one fails. Prints which tier caught each bug and in how many seconds. Fails when more than
 * three survive, or one of an area in which all must be caught. `-- --check` only checks that every bug can be planted.
 */

const mostSurvivors = 3;
/** What the tests need of the project; dependencies are linked. */
const copied = [
  'src',
  'test',
  '.ci',
  'media',
  'package.json',
  'package.nls.json',
  'package.nls.de.json',
  'tsconfig.json',
  'esbuild.js',
];
const run = promisify(execFile);

interface Source {
  file: string;
  text: string;
}

async function sourcesOf(root: string): Promise<Source[]> {
  const entries = await readdir(path.join(root, 'src'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name));
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return { file, text: await readFile(file, 'utf8') };
    }),
  );
}

/** The file that a bug is planted in. @throws Error when its text is not in exactly one place. */
function placeOf({ name, find }: PlantedBug, sources: readonly Source[]): Source {
  const places = sources.filter(({ text }) => text.includes(find));
  const [only] = places;
  if (!only || places.length > 1 || only.text.indexOf(find) !== only.text.lastIndexOf(find)) {
    throw new Error(`"${name}" cannot be planted: its text occurs in ${places.length} files, or twice in one.`);
  }
  return only;
}

/** Whether the tests fail. */
async function isNoticed(root: string, args: readonly string[]): Promise<boolean> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  try {
    await run(process.execPath, [vitest, ...args, '--config', 'test/vitest.config.ts', '--bail', '1'], {
      cwd: root,
      maxBuffer: 2 ** 28,
    });
    return false;
  } catch {
    return true;
  }
}

/** The tier that notices the bug that is planted in `file`; undefined for none. */
async function tierOf(root: string, file: string, { reachedBy = [] }: PlantedBug): Promise<string | undefined> {
  for (const tier of ['unit', 'property']) {
    if (await isNoticed(root, ['related', file, '--run', '--passWithNoTests', '--project', tier])) return tier;
  }
  if (reachedBy.length === 0) return undefined;
  await run(process.execPath, ['esbuild.js'], { cwd: root });
  for (const [tier, files] of Map.groupBy(reachedBy, (file) => file.split('/')[1] ?? '')) {
    if (await isNoticed(root, ['run', '--project', tier, ...files])) return tier;
  }
  return undefined;
}

async function plantAll(root: string, bugs: readonly PlantedBug[]): Promise<PlantedBug[]> {
  const sources = await sourcesOf(root);
  const survivors: PlantedBug[] = [];
  for (const bug of bugs) {
    const { file, text } = placeOf(bug, sources);
    const startedAt = Date.now();
    await writeFile(
      file,
      text.replace(bug.find, () => bug.replace),
    );
    const tier = await tierOf(root, file, bug);
    await writeFile(file, text);
    if (tier === undefined) survivors.push(bug);
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${(tier ?? 'SURVIVED').padEnd(9)} ${seconds.padStart(6)} s  ${bug.area}: ${bug.name}`);
  }
  return survivors;
}

await runMain(async () => {
  const [wanted = ''] = process.argv.slice(2);
  const sources = await sourcesOf(projectRoot);
  for (const bug of plantedBugs) placeOf(bug, sources);
  if (wanted === '--check') return 0;
  const root = await mkdtemp(path.join(tmpdir(), 'analytics-studio-mutation-'));
  try {
    for (const name of copied) await cp(path.join(projectRoot, name), path.join(root, name), { recursive: true });
    await symlink(path.join(projectRoot, 'node_modules'), path.join(root, 'node_modules'));
    const bugs = plantedBugs.filter(({ area, name }) => `${area}: ${name}`.includes(wanted));
    const survivors = await plantAll(root, bugs);
    console.log(`${bugs.length - survivors.length} of ${bugs.length} caught`);
    return survivors.length > mostSurvivors || survivors.some(({ area }) => mustBeCaught.includes(area)) ? 1 : 0;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
