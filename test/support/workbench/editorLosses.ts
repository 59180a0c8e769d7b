import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { resultFile } from '../run/testResults.ts';

/*
 * Keystrokes and clicks that the editor itself loses while it draws anew are done again, counted and named at the end of the
 * run. What our own pages lose is a bug.
 */

/** More than this fails a run. */
export const mostEditorLosses = 2;

const lossesFile = resultFile('editorLosses').replace(/json$/, 'txt');

/** Notes that the editor lost something that is now done again. */
export async function noteEditorLoss(what: string): Promise<void> {
  await mkdir(path.dirname(lossesFile), { recursive: true });
  await appendFile(lossesFile, `${what.replace(/\s+/g, ' ')}\n`);
}

/** What the editor lost since {@link clearEditorLosses}. */
export async function editorLosses(): Promise<string[]> {
  const text = await readFile(lossesFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').filter((line) => line !== '');
}

export const clearEditorLosses = (): Promise<void> => rm(lossesFile, { force: true });
