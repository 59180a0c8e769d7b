import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { ExportProgress, ExportSource } from './exportSource.ts';
import type { WriteBytes } from './byteSink.ts';
import { csvFormat, csvWithMark, jsonFormat, markdownFormat, tsvFormat } from '../../../editor/csv.ts';
import { writeParquet } from './writeParquet.ts';
import { writeText } from './writeText.ts';
import { writeWorkbook } from './writeWorkbook.ts';

/** Permission bits of a file mode. */
const permissions = 0o777;
/** Maximum number of characters of the file name that the temporary file's name includes. */
const namedCharacters = 40;

/** Result of an export. */
export interface ExportedFile {
  bytes: number;
  /** SHA-256 of the file, in hexadecimal, if requested. */
  hash: string | undefined;
}

/**
 * Writes rows to a file, which replaces an existing file when complete.
 * @throws the signal's reason if aborted, and file system errors.
 */
export async function exportFile(
  path: string,
  format: ExportFormat,
  source: ExportSource,
  { wantsHash = false, ...progress }: ExportProgress & { wantsHash?: boolean },
): Promise<ExportedFile> {
  const hash = wantsHash ? createHash('sha256') : undefined;
  let bytes = 0;
  await replaceFile(path, async (write) => {
    const counted = async (chunk: Uint8Array) => {
      hash?.update(chunk);
      bytes += chunk.byteLength;
      await write(chunk);
    };
    await format.write(source, counted, progress);
    progress.signal?.throwIfAborted();
  });
  return { bytes, hash: hash?.digest('hex') };
}

/**
 * Writes to a temporary file next to `path`, which replaces `path` once it is complete and flushed to disk. If the work
 * is cancelled or fails, the temporary file is deleted and the existing file stays unchanged.
 * @throws what `work` throws, and file system errors.
 */
export async function replaceFile(
  path: string,
  work: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  // A name of the maximum length leaves no room for a suffix.
  const { dir, base } = parse(path);
  const partial = join(
    dir,
    `${Array.from(base).slice(0, namedCharacters).join('')}.${randomUUID().slice(0, 8)}.partial`,
  );
  try {
    // Keep a file private if only its owner may read it.
    const mode = await stat(path).then(
      (there) => there.mode & permissions,
      () => undefined,
    );
    const file = await open(partial, 'wx', mode);
    const disk = new EarlySync(file);
    try {
      await work(async (chunk) => {
        for (let at = 0; at < chunk.byteLength;) at += (await file.write(chunk, at)).bytesWritten;
        disk.wrote(chunk.byteLength);
      });
      // Replace the existing file only with data that is on disk.
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
}

/** Number of bytes between flushes to disk. */
const syncBytes = 8 * 1024 ** 2;

/** Flushes a file to disk while it is being written, so that little is left to flush at the end. */
class EarlySync {
  readonly #file: FileHandle;
  #unasked = 0;
  /** The latest flush. Never rejects. */
  settled: Promise<void> = Promise.resolve();
  #isUnderWay = false;
  /** Why a flush failed. The system reports the error only once: a later flush may succeed. */
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

  /** Waits until everything is on disk. @throws file system errors. */
  async end(): Promise<void> {
    await this.settled;
    if (this.#failed !== undefined) throw this.#failed.error;
    await this.#file.sync();
  }
}

/** A file format for exporting rows. */
export interface ExportFormat {
  id: 'csv' | 'csvWithMark' | 'tsv' | 'json' | 'markdown' | 'xlsx' | 'parquet';
  /** Common name of the format. */
  name: string;
  extension: string;
  /** Writes all rows. Stops with the signal's reason if aborted. */
  write(source: ExportSource, write: WriteBytes, progress: ExportProgress): Promise<void>;
}

/** All formats, in the order offered. */
export const exportFormats: readonly ExportFormat[] = [
  { id: 'csv', name: 'CSV', extension: 'csv', write: (...to) => text(csvFormat, to) },
  { id: 'csvWithMark', name: 'CSV (UTF-8 with BOM)', extension: 'csv', write: (...to) => text(csvWithMark, to) },
  { id: 'xlsx', name: 'Excel', extension: 'xlsx', write: writeWorkbook },
  { id: 'json', name: 'JSON', extension: 'json', write: (...to) => text(jsonFormat, to) },
  { id: 'parquet', name: 'Parquet', extension: 'parquet', write: writeParquet },
  { id: 'tsv', name: 'TSV', extension: 'tsv', write: (...to) => text(tsvFormat, to) },
  { id: 'markdown', name: 'Markdown', extension: 'md', write: (...to) => text(markdownFormat, to) },
];

type Target = [source: ExportSource, write: WriteBytes, progress: ExportProgress];

function text(format: typeof csvFormat, [source, write, progress]: Target): Promise<void> {
  return writeText(source, format, write, progress);
}

const longest = 120;
/** File systems allow 255 bytes; extensions and the details file need some of them. */
const longestBytes = 200;
/** Device names that Windows reserves, with any extension. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * Converts a report name to a file name without extension: no path separators, no characters that a file system
 * rejects, not hidden, never empty. Keeps case and letters.
 */
export function fileName(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    .replace(/[/\\:*?"<>|\u2044\u2215\u29f8\uff0f\uff3c]/g, '-')
    .replace(/\s+/g, ' ');
  const cut = cutToBytes(Array.from(plain).slice(0, longest));
  const trimmed = cut.replace(/^[. ]+|[. ]+$/g, '');
  if (trimmed === '') return 'report';
  return reserved.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** Returns as many leading characters as fit into {@link longestBytes}. */
function cutToBytes(characters: readonly string[]): string {
  let bytes = 0;
  const end = characters.findIndex((character) => (bytes += Buffer.byteLength(character)) > longestBytes);
  return (end < 0 ? characters : characters.slice(0, end)).join('');
}
