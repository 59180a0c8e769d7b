import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { mayMiss } from '../run/mayMiss.ts';
import { cacheFolder } from '../vscodeHost/paths.ts';

const version = '476';
const sha256 = 'cfd5accde17e8ebd251eeeb78aed1f490e77bb3a164d95a0f454bf8a7c1cbd3f';
const leastJava = 24;
/** Plugins that tests use; PostgreSQL's needs the types of geospatial. The other ones are 800 MB. */
const plugins = ['memory', 'tpch', 'postgresql', 'geospatial', 'password-authenticators', 'resource-group-managers'];

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
  const java = findJava();
  if (java === undefined) return missing(`Java ${leastJava} or later is not installed`);
  try {
    return { java, folder: await installed() };
  } catch (error) {
    return missing(`Trino ${version} could not be installed: ${String(error)}`);
  }
}

function missing(problem: string): undefined {
  console.warn(`Skipped: ${problem}`);
  mayMiss(`Trino ${version}`);
  return undefined;
}

function findJava(): string | undefined {
  const machine = '/usr/lib/jvm';
  const homes = existsSync(machine) ? readdirSync(machine).map((name) => path.join(machine, name)) : [];
  const found = [process.env.JAVA_HOME, ...homes].find((home) => home && releaseIn(home) >= leastJava);
  return found ? path.join(found, 'bin', 'java') : onPath();
}

/** Major release of a Java in this folder; 0 if there is none. */
function releaseIn(home: string): number {
  const file = path.join(home, 'release');
  return existsSync(file) ? Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) : 0;
}

function onPath(): string | undefined {
  try {
    const text = execFileSync('java', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/^\w+ (\d+)/.exec(text)?.[1] ?? 0) >= leastJava ? 'java' : undefined;
  } catch {
    return undefined;
  }
}

async function installed(): Promise<string> {
  const folder = path.join(cacheFolder, 'engines', `trino-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await unpack(unfinished);
    // Plugins share files by hard links, some with plugins that are not used: all are unpacked first.
    const root = path.join(unfinished, 'plugin');
    for (const name of await readdir(root)) {
      if (!plugins.includes(name)) await rm(path.join(root, name), { recursive: true });
    }
    // Two runs may install it at once: the first to finish is taken.
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Downloads the archive into `folder` without keeping it. @throws Error when it is not the expected one. */
async function unpack(folder: string): Promise<void> {
  const central = process.env.MAVEN_CENTRAL ?? 'https://repo1.maven.org/maven2';
  const url = `${central}/io/trino/trino-server/${version}/trino-server-${version}.tar.gz`;
  const reply = await fetch(url);
  if (!reply.ok || !reply.body) throw new Error(`${url}: status ${reply.status}`);
  const tar = spawn('tar', ['-xz', '--strip-components=1', '-C', folder], { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(tar, 'exit');
  const hash = createHash('sha256');
  await pipeline(
    reply.body,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    tar.stdin,
  );
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`tar ended with ${code}`);
  if (hash.digest('hex') !== sha256) throw new Error(`${url} is not the expected file`);
}
