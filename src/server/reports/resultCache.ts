/** The expensive part of a result: its rows and totals, as JSON text. */
export interface CachedResult {
  /** Chunks of the rows' JSON, in order. */
  rows: readonly Buffer[];
  groupMetadata: string;
}

interface Entry {
  result: CachedResult;
  size: number;
  /** Milliseconds as in Date. */
  madeAt: number;
}

/**
 * Minutes for which a user gets a cached result: the instance's FastCacheMin, or the user's FastCacheLimit if it is
 * lower. A FastCacheLimit of 0 or below means no user limit. API description, Users and Instance settings.
 */
export function cacheMinutes(instanceMinutes: number, ownLimit: number): number {
  return ownLimit > 0 ? Math.min(instanceMinutes, ownLimit) : instanceMinutes;
}

const largestResult = 8 * 1024 * 1024;
const largestCache = 64 * 1024 * 1024;

/**
 * Cache of recent results by server, SQL and all bound values. Row security is part of the SQL and its values, so
 * callers share an entry only if they may see the same rows. Evicts the least recently used entries.
 */
export class ResultCache {
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  /** A result not older than `maxAgeMs`. */
  find(key: string, now: Date, maxAgeMs: number): CachedResult | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#remove(key, entry);
    if (now.getTime() - entry.madeAt >= maxAgeMs) return undefined;
    this.#entries.set(key, entry);
    this.#size += entry.size;
    return entry.result;
  }

  /** Stores a result, unless it is too large. */
  keep(key: string, result: CachedResult, now: Date): void {
    const size = key.length + result.groupMetadata.length + result.rows.reduce((sum, { length }) => sum + length, 0);
    if (size > largestResult) return;
    const known = this.#entries.get(key);
    if (known) this.#remove(key, known);
    this.#entries.set(key, { result, size, madeAt: now.getTime() });
    this.#size += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= largestCache) break;
      this.#remove(oldest, entry);
    }
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}

/** Collects a result's chunks while they are sent, and stops once they are too large to cache. */
export class ResultCollector {
  #pieces: Buffer[] | undefined = [];
  #size = 0;

  add(piece: string | Buffer): void {
    if (!this.#pieces) return;
    this.#size += Buffer.byteLength(piece);
    // Copied, because the sent bytes may be overwritten afterwards.
    if (this.#size > largestResult) this.#pieces = undefined;
    else this.#pieces.push(typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece));
  }

  /** The chunks, or undefined if they were too large. */
  get pieces(): readonly Buffer[] | undefined {
    return this.#pieces;
  }
}
