import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { format, parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { runMain } from '../run/runMain.ts';
import { openBrowser } from './browser.ts';
import { hostFolders, writeSettings } from './hostFolders.ts';
import { startTestServer, type HostServer } from './hostServer.ts';

/*
 * Stands in for the executable of desktop VS Code: takes the same arguments as it does from @vscode/test-electron, runs the
 * tests in the extension host of the browser host and exits with their code. When they fail it prints the errors of VS Code.
 */

/** Milliseconds until tests that have not ended are given up; a test of endurance at full size takes hours. */
const deadline = (process.env.SOAK === 'full' ? 4 * 60 : 10) * 60_000;

/** What we understand of desktop VS Code's arguments; it has many more, and ours ignores them. */
interface TestRun {
  developmentPaths: string[];
  testsPath: string;
  /** Folder to open; an empty window without it. */
  folder: string | undefined;
}

function readArguments(args: readonly string[]): TestRun {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    options: { extensionDevelopmentPath: { type: 'string', multiple: true }, extensionTestsPath: { type: 'string' } },
  });
  const developmentPaths = (values.extensionDevelopmentPath ?? []).filter((value) => typeof value === 'string');
  const testsPath = values.extensionTestsPath;
  if (typeof testsPath !== 'string' || developmentPaths.length === 0)
    throw new Error('Expected --extensionDevelopmentPath=FOLDER and --extensionTestsPath=MODULE.');
  return { developmentPaths, testsPath, folder: positionals[0] };
}

/**
 * The address of a workbench that loads extensions from their folders and runs a test module in the extension host.
 * @param authority host and port of the server.
 */
function testAddress(authority: string, run: TestRun): string {
  const remote = (file: string): string => `vscode-remote://${authority}${path.resolve(file)}`;
  const payload = [
    ...run.developmentPaths.map((folder) => ['extensionDevelopmentPath', remote(folder)]),
    ['extensionTestsPath', remote(run.testsPath)],
  ];
  const query = new URLSearchParams(run.folder ? { folder: path.resolve(run.folder) } : { ew: 'true' });
  query.set('payload', JSON.stringify(payload));
  return `http://${authority}/?${query.toString()}`;
}

/** Opens the address and waits until VS Code tells the exit code of the tests. */
async function runInPage(page: Page, address: string, server: HostServer): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const errors: string[] = [];
  page.on('crash', () => ended.reject(new Error('The page of VS Code crashed.')));
  void server.exited.then((code) => ended.reject(new Error(`VS Code ended with code ${code}.`)));
  const late = () => ended.reject(new Error(`No end of the tests after ${deadline / 60_000} minutes.`));
  const timer = setTimeout(late, deadline);
  await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code));
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    if (type === 'error') errors.push(format(...args).split('\n', 1)[0] ?? '');
  });
  // The front of the host would hold half of the key of SecretStorage; without it no secret can be stored.
  const keyHalf = randomBytes(32);
  await page.route('**/mint-key', (route) => route.fulfill({ body: keyHalf, contentType: 'application/octet-stream' }));
  try {
    await page.goto(address);
    const code = await ended.promise;
    if (code !== 0) console.error(errors.join('\n'));
    return code;
  } catch (error) {
    console.error([...errors, ...server.lastLines].join('\n'));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function runTestsInHost(run: TestRun): Promise<number> {
  const root = await mkdtemp(path.join(tmpdir(), 'analytics-studio-host-'));
  const folders = hostFolders(root);
  await writeSettings(folders, {});
  const server = await startTestServer(folders);
  try {
    const browser = await openBrowser();
    try {
      return await runInPage(await browser.newPage(), testAddress(server.authority, run), server);
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  }
}

await runMain(() => runTestsInHost(readArguments(process.argv.slice(2))));
