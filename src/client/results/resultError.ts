/** Why reading a report result ended early. */
export type ResultErrorCode =
  /** The bytes ended before the reply was complete. */
  | 'truncated'
  /** The bytes are not JSON, or a row is not an object. */
  | 'malformed'
  /** JSON, but not a report result: an empty array, text, or an object without rows. */
  | 'notAResult'
  /** The result of another report than requested. */
  | 'otherReport'
  /** A limit of `ResultCaps` was exceeded. */
  | 'tooLarge'
  /** The byte source failed; see `cause`. */
  | 'source';

/** Reading a report result ended early; the rows read so far stay in the store. */
export class ResultReadError extends Error {
  override readonly name = 'ResultReadError';
  readonly code: ResultErrorCode;
  /** Byte offset in the inflated reply, from 0, at which reading ended. */
  readonly offset: number;

  constructor(code: ResultErrorCode, offset: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.offset = offset;
  }
}

/** Limits that prevent an incorrect or hostile reply from filling the memory. */
export interface ResultCaps {
  /** Bytes of the inflated reply. */
  readonly maxBytes: number;
  readonly maxRows: number;
  readonly maxColumns: number;
  /** Levels of nesting; the reply is the first, `Data` the second, a row the third. */
  readonly maxDepth: number;
  /** Bytes of one row, or of one member of the reply other than `Data`. */
  readonly maxRowBytes: number;
  /** Maximum size of the store in bytes. */
  readonly maxHeldBytes: number;
}

/** Default limits. */
export const defaultCaps: ResultCaps = {
  maxBytes: 4 * 1024 ** 3,
  maxRows: 10_000_000,
  maxColumns: 2_000,
  maxDepth: 128,
  maxRowBytes: 32 * 1024 ** 2,
  maxHeldBytes: 2 * 1024 ** 3,
};
