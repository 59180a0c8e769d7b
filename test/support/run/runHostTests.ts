import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { build } from 'esbuild';
import { runMain } from './runMain.ts';
import { clearResult, readResult, resultFile } from './testResults.ts';
import { requireBuilt } from '../vscodeHost/hostFolders.ts';
import { ensureHost } from '../vscodeHost/installHost.ts';
import { cacheFolder, projectRoot } from '../vscodeHost/paths.ts';
import { ensureChromium } from '../vscodeHost/systemTools.ts';

/*
 * `npm run test:host [-- --grep TEXT]`: runs test/host inside the extension host of a real VS Code.
 * ANALYTICS_STUDIO_VSCODE chooses which: `browser` (the browser host, the default but on Windows), `desktop` (downloaded by
 * @vscode/test-electron) or the path of a desktop VS Code's executable.
 */

const suitesFolder = path.join(cacheFolder, 'suites');

/** Bundles the tests and their runner, one file each, and returns the files of the tests, relative to their folder. */
async function bundleSuites(): Promise<string[]> {
  const hostTests = path.join(projectRoot, 'test', 'host');
  const tests = globSync('**/*.test.ts', { cwd: hostTests });
  await rm(suitesFolder, { recursive: true, force: true });
  await build({
    entryPoints: ['runSuite.ts', ...tests].map((file) => path.join(hostTests, file)),
    outbase: hostTests,
    outdir: suitesFolder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    mainFields: ['module', 'main'],
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return tests.map((file) => file.replace(/\.ts$/, '.js')).sort();
}

/** The executable that @vscode/test-electron starts; undefined lets it download a desktop VS Code. */
async function vscodeExecutable(): Promise<string | undefined> {
  const choice = process.env.ANALYTICS_STUDIO_VSCODE ?? (process.platform === 'win32' ? 'desktop' : 'browser');
  if (choice === 'desktop') return undefined;
  if (choice !== 'browser') return choice;
  await ensureChromium();
  await ensureHost();
  const standIn = path.join(projectRoot, 'test', 'support', 'vscodeHost', 'standIn.ts');
  const executable = path.join(cacheFolder, 'browser-host');
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(executable, `#!/bin/sh\nexec "${process.execPath}" "${standIn}" "$@"\n`, { mode: 0o755 });
  return executable;
}

/** Takes the lines that the tests print, on a free loopback port. */
async function openOutput(): Promise<{ output: Server; port: number }> {
  const output = createServer((socket) => socket.pipe(process.stdout, { end: false }));
  output.listen(0, '127.0.0.1');
  await once(output, 'listening');
  const address = output.address();
  if (address === null || typeof address === 'string') throw new Error('The output of the tests has no port.');
  return { output, port: address.port };
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { grep: { type: 'string' } } });
  await requireBuilt(projectRoot);
  await clearResult('host');
  const suites = await bundleSuites();
  const vscodeExecutablePath = await vscodeExecutable();
  const { output, port } = await openOutput();
  const userData = await mkdtemp(path.join(tmpdir(), 'analytics-studio-host-'));
  try {
    await runTests({
      vscodeExecutablePath,
      cachePath: cacheFolder,
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: path.join(suitesFolder, 'runSuite.js'),
      launchArgs: ['--disable-extensions', `--user-data-dir=${userData}`],
      extensionTestsEnv: {
        ANALYTICS_STUDIO_TEST_SUITES: suites.join(path.delimiter),
        ANALYTICS_STUDIO_TEST_OUTPUT: String(port),
        ANALYTICS_STUDIO_TEST_RESULT: resultFile('host'),
        ANALYTICS_STUDIO_TEST_GREP: values.grep,
      },
    });
  } catch (error) {
    if (!(error instanceof TestRunFailedError)) throw error;
  } finally {
    output.close();
    await rm(userData, { recursive: true, force: true });
  }
  const counts = await readResult('host');
  if (!counts) throw new Error('VS Code ended before the tests could report.');
  return counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

await runMain(main);
