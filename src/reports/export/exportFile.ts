import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { ExportFormat } from './exportFormats.ts';
import type { ExportProgress, ExportSource } from './exportSource.ts';

/** What became of an export. */
export interface ExportedFile {
  bytes: number;
  /** SHA-256 of the file, in hexadecimal, where it was wanted. */
  hash: string | undefined;
}

/**
 * Writes rows to a file. They go to a file beside it first, which takes its place when it is complete: an export that is
 * stopped or fails leaves nothing behind, and what was there before stays.
 * @throws the signal's reason once it has fired, and errors of the file system.
 */
export async function exportFile(
  path: string,
  format: ExportFormat,
  source: ExportSource,
  { wantsHash = false, ...progress }: ExportProgress & { wantsHash?: boolean },
): Promise<ExportedFile> {
  const partial = `${path}.${randomUUID().slice(0, 8)}.partial`;
  const hash = wantsHash ? createHash('sha256') : undefined;
  let bytes = 0;
  try {
    const file = await open(partial, 'wx');
    try {
      const write = async (chunk: Uint8Array) => {
        hash?.update(chunk);
        bytes += chunk.byteLength;
        for (let at = 0; at < chunk.byteLength;) at += (await file.write(chunk, at)).bytesWritten;
      };
      await format.write(source, write, progress);
      progress.signal?.throwIfAborted();
      // Only what is on the disk may take the place of what was there.
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return { bytes, hash: hash?.digest('hex') };
}
