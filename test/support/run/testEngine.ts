import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { Databases } from '../../../src/server/databases/databases.ts';
import { anyFolder } from '../databases/anyFolder.ts';
import { addressOf, givenServer } from '../databases/givenEngine.ts';
import { startProcess } from '../processes/processes.ts';
import { projectRoot } from '../vscodeHost/paths.ts';
import { runMain } from './runMain.ts';

/*
 * `npm run test:engine -- --platform mssql --url //login:password@host:1433/database?tls=require`: whether a database server
 * that you have gives the figures and rows that DuckDB and a person give. ENGINE_URL may hold the URL in place of the
 * arguments, which other users of the machine can read. PROPERTY_RUNS is the number of reports. It makes three tables in the
 * database, and drops them.
 */

const files = ['property/sql/sameFigures.test.ts', 'property/sql/sameRows.test.ts'];
/** Characters shown of what differs in one test. */
const longestDifference = 4000;

const results = z.object({
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

function urlGiven(): string {
  const { values } = parseArgs({ options: { platform: { type: 'string' }, url: { type: 'string' } } });
  const url = values.url ?? process.env.ENGINE_URL;
  if (url === undefined) throw new Error('Give --platform and --url, or ENGINE_URL');
  return values.platform === undefined ? url : `${values.platform}://${url.replace(/^[^/]*\/\//, '')}`;
}

await runMain(async () => {
  const url = urlGiven();
  const given = givenServer(url);
  const databases = new Databases(anyFolder);
  // Refuses releases that the server refuses.
  const { version = '' } = await databases.at(addressOf(given), () => given.password);
  await databases.close();
  console.log(`Connected to ${given.platform} ${version} at ${given.host}:${given.port}/${given.database}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'test-engine-'));
  try {
    const file = path.join(folder, 'results.json');
    const vitest = [path.join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', 'test/vitest.config.ts'];
    const args = ['--project', 'property', '--no-file-parallelism', '--reporter', 'json', '--outputFile.json', file];
    const env = { ...process.env, ENGINE_URL: url };
    const tests = await startProcess(process.execPath, [...vitest, ...args, ...files], { cwd: projectRoot, env });
    const code = await tests.exited;
    for (const { message, assertionResults } of results.parse(JSON.parse(await readFile(file, 'utf8'))).testResults) {
      if (message !== '') console.log(message);
      for (const { fullName, status, failureMessages } of assertionResults) {
        console.log(`${status}: ${fullName}`);
        for (const difference of failureMessages) console.log(difference.slice(0, longestDifference));
      }
    }
    console.log(code === 0 ? 'Nothing differs.' : 'The differences are above.');
    return code;
  } finally {
    await rm(folder, { recursive: true });
  }
});
