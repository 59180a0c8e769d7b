/** Initial size of a window in bytes. */
export const windowBytes = 256 * 1024;
/** Zero bytes after the content, so that scanning in words of four bytes needs no bounds check and always stops. */
const padding = 16;

/**
 * The part of a reply being scanned: the rest of earlier chunks and the newest chunk in one buffer, followed by zero
 * bytes. Zero is invalid anywhere in JSON, so every scan stops there at the latest.
 */
export class ByteWindow {
  bytes: Buffer;
  view: DataView;
  /** Index after the last byte of the content. */
  end = 0;
  /** Offset of index 0 in the whole reply. */
  offset = 0;

  private readonly home: Buffer;

  /** @param home buffer for the content unless a value needs more. */
  constructor(home = Buffer.alloc(windowBytes + padding)) {
    this.home = home.fill(0, 0, padding);
    this.bytes = home;
    this.view = viewOf(home);
  }

  /** Appends `piece`. */
  append(piece: Uint8Array): void {
    const wanted = this.end + piece.length + padding;
    if (wanted > this.bytes.length) {
      const larger = Buffer.alloc(Math.max(wanted, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.end);
      this.bytes = larger;
      this.view = viewOf(larger);
    }
    this.bytes.set(piece, this.end);
    this.end += piece.length;
    this.bytes.fill(0, this.end, this.end + padding);
  }

  /** Removes everything before index `at`, which becomes index 0. */
  consume(at: number): void {
    const left = this.end - at;
    if (this.bytes === this.home || left * 2 > this.home.length) this.bytes.copyWithin(0, at, this.end);
    else {
      this.bytes.copy(this.home, 0, at, this.end);
      this.bytes = this.home;
      this.view = viewOf(this.home);
    }
    this.end = left;
    this.offset += at;
    this.bytes.fill(0, this.end, this.end + padding);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
