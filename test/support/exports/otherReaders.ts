import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { mayMiss } from '../run/mayMiss.ts';
import { cacheFolder } from '../vscodeHost/paths.ts';

const run = promisify(execFile);
/** Releases from PyPI, as `package==release`. */
const packages = ['openpyxl==3.1.5', 'pandas==3.1.1', 'pyarrow==26.0.1'];
const program = path.join(import.meta.dirname, 'readExport.py');

/** A cell as Python has it: the type's name and the text, or null. */
export type ForeignCell = [type: string, text: string] | null;

const sheet = z.array(z.array(z.tuple([z.string(), z.string()]).nullable()));

/**
 * Installs readers of exported files by other makers beside the engines that tests use, where they are not there yet.
 * @returns what reads a file; undefined where Python or PyPI cannot be had.
 * @throws Error in CI where they cannot be had.
 */
export async function otherReaders(): Promise<
  ((format: string, file: string) => Promise<ForeignCell[][]>) | undefined
> {
  const folder = path.join(cacheFolder, 'engines', `readers-${packages.join('-').replaceAll('==', '-')}`);
  const python = path.join(folder, 'bin', 'python');
  const unfinished = `${folder}.${process.pid}`;
  try {
    if (!existsSync(python)) {
      await run('python3', ['-m', 'venv', unfinished]);
      const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
      await run(path.join(unfinished, 'bin', 'python'), install);
      // Two test files may install them at once: the first to finish is taken.
      await rename(unfinished, folder).catch((error: unknown) => {
        if (!existsSync(python)) throw error;
      });
    }
  } catch (error) {
    console.warn(`Skipped: readers of exported files could not be installed: ${String(error)}`);
    mayMiss('pandas, openpyxl or pyarrow of Python');
    return undefined;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return async (format, file) => {
    const { stdout } = await run(python, [program, format, file], { maxBuffer: 256 * 1024 * 1024 });
    return sheet.parse(JSON.parse(stdout));
  };
}
