/**
 * Builds, then runs the benchmarks beside this file, `*.bench.ts`, one after the other, or only those named:
 * `npm run bench -- results`.
 * Ends with an error if one crashes; a goal that is missed is printed as MISSED and is no error.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const suffix = '.bench.ts';
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length))
  .sort();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  process.exit(1);
}
const build = spawnSync(process.execPath, ['esbuild.js'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(1);
for (const name of wanted.length > 0 ? wanted : known) {
  console.log(`# ${name}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, name + suffix)], { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`The benchmark ${name} crashed.`);
    process.exitCode = 1;
  }
}
