import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { ExportProgress, ExportSource } from './exportSource.ts';
import type { WriteBytes } from './byteSink.ts';
import { csvFormat, csvWithMark, jsonFormat, markdownFormat, tsvFormat } from '../../../editor/csv.ts';
import { writeParquet } from './writeParquet.ts';
import { writeText } from './writeText.ts';
import { writeWorkbook } from './writeWorkbook.ts';

/** Who may read, write and run a file, in its mode. */
const permissions = 0o777;
/** Characters of a file's name that the one beside it has, too. */
const namedCharacters = 40;

/** What became of an export. */
export interface ExportedFile {
  bytes: number;
  /** SHA-256 of the file, in hexadecimal, where it was wanted. */
  hash: string | undefined;
}

/**
 * Writes rows to a file, which takes the place of what was there when it is complete.
 * @throws the signal's reason once it has fired, and errors of the file system.
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
 * Writes a file beside `path` first, which takes its place when it is complete and on the disk: what is stopped or fails
 * leaves nothing behind, and what was there before stays.
 * @throws what `work` throws, and errors of the file system.
 */
export async function replaceFile(
  path: string,
  work: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  // A name that is as long as a file system takes has no room behind it.
  const { dir, base } = parse(path);
  const partial = join(
    dir,
    `${Array.from(base).slice(0, namedCharacters).join('')}.${randomUUID().slice(0, 8)}.partial`,
  );
  try {
    // What only its owner may read stays so.
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

/** A kind of file that rows can be saved as. */
export interface ExportFormat {
  id: 'csv' | 'csvWithMark' | 'tsv' | 'json' | 'markdown' | 'xlsx' | 'parquet';
  /** Its usual name. */
  name: string;
  extension: string;
  /** Writes all rows; stops with the signal's reason once it has fired. */
  write(source: ExportSource, write: WriteBytes, progress: ExportProgress): Promise<void>;
}

/** Every format, in the order offered. */
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
/** File systems take 255 bytes, of which endings and the details of an export need some. */
const longestBytes = 200;
/** Names that Windows keeps for devices, with any ending. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * A name of a report as the name of a file, without its ending: nothing that separates folders, that a file system
 * refuses or that hides; never empty. Case and letters stay.
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

/** As many characters from the start as fit into {@link longestBytes}. */
function cutToBytes(characters: readonly string[]): string {
  let bytes = 0;
  const end = characters.findIndex((character) => (bytes += Buffer.byteLength(character)) > longestBytes);
  return (end < 0 ? characters : characters.slice(0, end)).join('');
}
