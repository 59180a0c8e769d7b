import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as z from 'zod';

/** What whoever starts the tests tells them through the environment. */
const environment = z.object({
  /** The bundled suites, relative to this file, joined like a PATH. */
  ANALYTICS_STUDIO_TEST_SUITES: z.string().transform((files) => files.split(path.delimiter)),
  /** Loopback port that takes what the tests print, which the console of VS Code would bury in its own log. */
  ANALYTICS_STUDIO_TEST_OUTPUT: z.coerce.number(),
  /** File for the results, in the form of Vitest's json reporter. */
  ANALYTICS_STUDIO_TEST_RESULT: z.string(),
  /** Part of the names of the tests to run; all without it. */
  ANALYTICS_STUDIO_TEST_GREP: z.string().optional(),
});

/**
 * Called by VS Code inside its extension host: runs the suites, prints each test and leaves the results.
 * @throws Error when a test failed, which makes VS Code exit with code 1.
 */
export async function run(): Promise<void> {
  const env = environment.parse(process.env);
  const output = connect(env.ANALYTICS_STUDIO_TEST_OUTPUT, '127.0.0.1');
  await once(output, 'connect');
  Mocha.reporters.Base.consoleLog = (...words: unknown[]) => output.write(`${format(...words)}\n`);
  const grep = env.ANALYTICS_STUDIO_TEST_GREP;
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', timeout: 30_000, forbidOnly: Boolean(process.env.CI), grep });
  env.ANALYTICS_STUDIO_TEST_SUITES.forEach((file) => mocha.addFile(path.join(__dirname, file)));
  const ended: { status: string; fullName: string; failureMessages: string[] }[] = [];
  const failed = await new Promise<number>((resolve) => {
    const end = (status: string) => (test: Mocha.Test, cause?: Error) =>
      ended.push({ status, fullName: test.fullTitle(), failureMessages: cause ? [cause.stack ?? cause.message] : [] });
    mocha.run(resolve).on('pass', end('passed')).on('fail', end('failed')).on('pending', end('pending'));
  });
  const report = { testResults: [{ name: 'host', status: failed > 0 ? 'failed' : 'passed', assertionResults: ended }] };
  await writeFile(env.ANALYTICS_STUDIO_TEST_RESULT, JSON.stringify(report));
  output.end();
  await once(output, 'close');
  if (failed > 0) throw new Error(`${failed} tests failed`);
}
