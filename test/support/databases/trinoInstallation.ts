import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mayMiss } from '../run/mayMiss.ts';
import { cacheFolder } from '../vscodeHost/paths.ts';

interface Release {
  sha256: string;
  /** Releases of Java that it starts on. */
  java: readonly [oldest: number, newest: number];
}

/** Releases that tests can run on. */
const releases: Readonly<Record<string, Release>> = {
  476: { sha256: 'cfd5accde17e8ebd251eeeb78aed1f490e77bb3a164d95a0f454bf8a7c1cbd3f', java: [24, Infinity] },
  470: { sha256: '16618db7c176d6c687f5782b97ec49c4a7beeab8f1f3edbd3f2c7b79d0b014ca', java: [23, Infinity] },
  368: { sha256: '794a7df6faae51895183b52c6d7f36f0a9715140fab317dac5400f71729c05cd', java: [11, 17] },
};
/** The release that tests run on; `TRINO_RELEASE` chooses another one. */
const version = process.env.TRINO_RELEASE ?? '476';
/** Plugins that tests use; PostgreSQL's needs the types of geospatial. The other ones are 800 MB. */
const plugins = ['memory', 'tpch', 'postgresql', 'geospatial', 'password-authenticators', 'resource-group-managers'];

/** Trino's own client. */
const client: Release & { version: string } = {
  version: '476',
  sha256: 'fe4e9c7fb569cd67673afa1622945f6308e1e59bdb825419352b80887661757b',
  java: [11, Infinity],
};

/** An installed Trino and the program that runs it. */
export interface TrinoInstallation {
  java: string;
  folder: string;
}

/**
 * Finds Java and Trino; downloads Trino once from Maven Central, or from `MAVEN_CENTRAL`.
 * @returns undefined where one of them cannot be had, after a visible line. @throws Error in CI where one cannot be had.
 */
export async function trinoInstallation(): Promise<TrinoInstallation | undefined> {
  const release = releases[version];
  if (!release) throw new Error(`TRINO_RELEASE is ${version}; tests know ${Object.keys(releases).join(', ')}`);
  const java = findJava(release);
  if (java === undefined) return missing(javaOf(release));
  try {
    const folder = await installed(`trino-${version}`, (unfinished) => unpack(unfinished, release.sha256));
    return { java, folder };
  } catch (error) {
    return missing(`Trino ${version}`, `could not be installed: ${String(error)}`);
  }
}

/** Trino's command-line client, as a command with its first arguments. @returns undefined like {@link trinoInstallation}. */
export async function trinoClient(): Promise<readonly string[] | undefined> {
  const java = findJava(client);
  if (java === undefined) return missing(javaOf(client));
  const name = `trino-cli-${client.version}`;
  const file = `${name}-executable.jar`;
  try {
    const folder = await installed(name, (unfinished) =>
      download(`trino-cli/${client.version}/${file}`, client.sha256, createWriteStream(path.join(unfinished, file))),
    );
    return [java, '-jar', path.join(folder, file)];
  } catch (error) {
    return missing(`The client of Trino ${client.version}`, `could not be installed: ${String(error)}`);
  }
}

function javaOf({ java: [oldest, newest] }: Release): string {
  return `Java ${oldest} ${newest === Infinity ? 'or later' : `to ${newest}`}`;
}

function missing(program: string, problem = 'is not installed'): undefined {
  console.warn(`Skipped: ${program} ${problem}`);
  mayMiss(program);
  return undefined;
}

function findJava({ java: [oldest, newest] }: Release): string | undefined {
  const machine = '/usr/lib/jvm';
  const homes = existsSync(machine) ? readdirSync(machine).map((name) => path.join(machine, name)) : [];
  const isRight = (release: number) => release >= oldest && release <= newest;
  const found = [process.env.JAVA_HOME, ...homes].find((home) => home && isRight(releaseIn(home)));
  if (found) return path.join(found, 'bin', 'java');
  return isRight(releaseOnPath()) ? 'java' : undefined;
}

/** Major release of a Java in this folder; 0 if there is none. */
function releaseIn(home: string): number {
  const file = path.join(home, 'release');
  return existsSync(file) ? Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) : 0;
}

function releaseOnPath(): number {
  try {
    const text = execFileSync('java', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/^\w+ (\d+)/.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The folder of an engine, which `fill` makes where it is missing. */
async function installed(name: string, fill: (unfinished: string) => Promise<void>): Promise<string> {
  const folder = path.join(cacheFolder, 'engines', name);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await fill(unfinished);
    // Two runs may install it at once: the first to finish is taken.
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Unpacks the server into `folder` without keeping the archive. @throws Error when it is not the expected one. */
async function unpack(folder: string, sha256: string): Promise<void> {
  const tar = spawn('tar', ['-xz', '--strip-components=1', '-C', folder], { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(tar, 'exit');
  try {
    await download(`trino-server/${version}/trino-server-${version}.tar.gz`, sha256, tar.stdin);
  } catch (error) {
    // Otherwise it waits for the archive, and the tests do not end.
    tar.kill();
    throw error;
  }
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`tar ended with ${code}`);
  // Plugins share files by hard links, some with plugins that are not used: all are unpacked first.
  const root = path.join(folder, 'plugin');
  for (const name of await readdir(root)) {
    if (!plugins.includes(name)) await rm(path.join(root, name), { recursive: true });
  }
}

/** @throws Error when the file is not the expected one. */
async function download(file: string, sha256: string, target: Writable): Promise<void> {
  const url = `${process.env.MAVEN_CENTRAL ?? 'https://repo1.maven.org/maven2'}/io/trino/${file}`;
  const reply = await fetch(url);
  if (!reply.ok || !reply.body) throw new Error(`${url}: status ${reply.status}`);
  const hash = createHash('sha256');
  await pipeline(
    reply.body,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    target,
  );
  if (hash.digest('hex') !== sha256) throw new Error(`${url} is not the expected file`);
}
