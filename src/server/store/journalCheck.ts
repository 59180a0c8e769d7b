import { readFileSync } from 'node:fs';
import { DamagedState, hasContent } from './stateBackup.ts';

const headerBytes = 32;
const frameHeaderBytes = 24;
/** First number of a journal, without the bit that says in which byte order its checksums are. */
const magic = 0x377f0682;

type Checksum = readonly [number, number];

/**
 * Checks the checksums of a journal that a killed server left. SQLite takes a damaged commit for the end of the journal
 * and drops all later ones without an error. The last commit is not checked: a power failure may have cut it short.
 * @throws DamagedState when an earlier commit is damaged.
 */
export function checkJournal(stateFile: string): void {
  const file = `${stateFile}-wal`;
  if (!hasContent(file)) return;
  const bytes = readFileSync(file);
  // Created and grown, but not written to yet.
  if (bytes.subarray(0, headerBytes + frameHeaderBytes).every((byte) => byte === 0)) return;
  const damaged = () => new DamagedState(stateFile, `is incomplete, because its journal ${file} is damaged`);
  const journal = openJournal(bytes);
  if (!journal) throw damaged();
  let at = 0;
  let checksum = journal.checksum;
  for (; at < journal.frames && journal.follows(at, checksum); at += 1) checksum = journal.storedChecksum(at);
  // Frames of a commit that failed may follow; a frame that continues a commit proves that the commit succeeded.
  for (; at + 1 < journal.frames; at += 1) {
    if (journal.isCommit(at) && journal.follows(at + 1, journal.storedChecksum(at))) throw damaged();
  }
}

interface Journal {
  frames: number;
  /** Checksum of the header. */
  checksum: Checksum;
  storedChecksum(frame: number): Checksum;
  /** Whether a frame belongs to this journal and its checksum continues `before`. */
  follows(frame: number, before: Checksum): boolean;
  /** Whether a frame of this journal ends a commit. */
  isCommit(frame: number): boolean;
}

/** Reads the header; undefined when it is damaged. */
function openJournal(bytes: Buffer): Journal | undefined {
  if (bytes.length < headerBytes) return undefined;
  const first = bytes.readUInt32BE(0);
  if (first !== magic && first !== magic + 1) return undefined;
  const add = checksumOf(bytes, first !== magic);
  const pairAt = (at: number): Checksum => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
  const checksum = add([0, 0], 0, 24);
  if (!isSame(checksum, pairAt(24))) return undefined;
  const salts = pairAt(16);
  const pageBytes = bytes.readUInt32BE(8);
  const start = (frame: number) => headerBytes + frame * (frameHeaderBytes + pageBytes);
  const isOwn = (frame: number) => isSame(pairAt(start(frame) + 8), salts);
  const storedChecksum = (frame: number) => pairAt(start(frame) + 16);
  return {
    frames: Math.floor((bytes.length - headerBytes) / (frameHeaderBytes + pageBytes)),
    checksum,
    storedChecksum,
    follows: (frame, before) => {
      if (!isOwn(frame)) return false;
      const at = start(frame);
      return isSame(add(add(before, at, 8), at + frameHeaderBytes, pageBytes), storedChecksum(frame));
    },
    isCommit: (frame) => isOwn(frame) && bytes.readUInt32BE(start(frame) + 4) !== 0,
  };
}

/** SQLite's checksum of a journal: continues `before` over `length` bytes from `at`. */
function checksumOf(bytes: Buffer, isBigEndian: boolean) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return (before: Checksum, at: number, length: number): Checksum => {
    let [one, other] = before;
    for (let index = at; index < at + length; index += 8) {
      one = (one + view.getUint32(index, !isBigEndian) + other) >>> 0;
      other = (other + view.getUint32(index + 4, !isBigEndian) + one) >>> 0;
    }
    return [one, other];
  };
}

function isSame(one: Checksum, other: Checksum): boolean {
  return one[0] === other[0] && one[1] === other[1];
}
