import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
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
    const disk = new EarlySync(file);
    try {
      const write = async (chunk: Uint8Array) => {
        hash?.update(chunk);
        bytes += chunk.byteLength;
        for (let at = 0; at < chunk.byteLength;) at += (await file.write(chunk, at)).bytesWritten;
        disk.wrote(chunk.byteLength);
      };
      await format.write(source, write, progress);
      progress.signal?.throwIfAborted();
      // Only what is on the disk may take the place of what was there.
      await disk.end();
    } finally {
      await disk.settled;
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return { bytes, hash: hash?.digest('hex') };
}

/** Bytes after which the disk is asked for them. */
const syncBytes = 8 * 1024 ** 2;

/** Brings a file to the disk while it is still being written, so that little is left to wait for at its end. */
class EarlySync {
  readonly #file: FileHandle;
  #unasked = 0;
  /** What was asked last; never rejects. */
  settled: Promise<void> = Promise.resolve();
  #isUnderWay = false;
  /** Why bytes did not get to the disk. The system tells it once: asked again at the end, it may know of nothing. */
  #failed: { error: unknown } | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  wrote(bytes: number): void {
    this.#unasked += bytes;
    if (this.#unasked < syncBytes || this.#isUnderWay) return;
    this.#unasked = 0;
    this.#isUnderWay = true;
    this.settled = this.#file
      .datasync()
      .catch((error: unknown) => {
        this.#failed ??= { error };
      })
      .finally(() => {
        this.#isUnderWay = false;
      });
  }

  /** Waits until all is on the disk. @throws errors of the file system. */
  async end(): Promise<void> {
    await this.settled;
    if (this.#failed !== undefined) throw this.#failed.error;
    await this.#file.sync();
  }
}
