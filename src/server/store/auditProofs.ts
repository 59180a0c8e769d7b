import { hash, timingSafeEqual } from 'node:crypto';

/** Part of the chain of the audit trail: all of it up to its end, or a run of entries deleted after their retention. */
export interface ChainPart {
  kind: 'end' | 'removed';
  firstId: number;
  lastId: number;
  /** Digest of the last entry. */
  digest: string;
  /** What {@link AuditProofs.sign} returned; empty when it was recorded without a key. */
  proof: string;
}

/** Whether a part was recorded with this key (`valid`), with another one (`foreign`), without one, or by someone else. */
export type Judgement = 'valid' | 'foreign' | 'unsigned' | 'forged';

/** Proof of an end that was taken out and replaced: whatever it is, it is not the one that was recorded. */
export const lostProof = 'lost';

/** Bytes that SHA-256 takes in at once. */
const blockBytes = 64;

/**
 * Signs parts of the chain, so that only who has the key can cut off its end or pretend that entries expired. A proof
 * names its key: a key that was replaced must not look like a forgery.
 */
export class AuditProofs {
  /** The key's blocks before the text and before its digest; see RFC 2104. */
  readonly #inner: Uint8Array;
  readonly #outer: Uint8Array;
  readonly #keyName: string;
  #latest = '';

  constructor(key: Uint8Array) {
    const block = Buffer.alloc(blockBytes);
    block.set(key.length > blockBytes ? hash('sha256', key, 'buffer') : key);
    this.#inner = block.map((byte) => byte ^ 0x36);
    this.#outer = block.map((byte) => byte ^ 0x5c);
    this.#keyName = this.#digest('key').slice(0, 16);
  }

  sign({ kind, firstId, lastId, digest }: Omit<ChainPart, 'proof'>): string {
    return `${this.#keyName}:${this.#digest(JSON.stringify([kind, firstId, lastId, digest]))}`;
  }

  judge(part: ChainPart): Judgement {
    const { proof } = part;
    if (proof === '') return 'unsigned';
    if (proof === lostProof) return 'forged';
    if (!proof.startsWith(`${this.#keyName}:`)) return 'foreign';
    const [given, wanted] = [Buffer.from(proof), Buffer.from(this.sign(part))];
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? 'valid' : 'forged';
  }

  /** The proof of the end that follows `before`. Where that was not valid, its proof stays, so that this can be found. */
  follow(before: ChainPart, next: Omit<ChainPart, 'proof'>): string {
    if (before.proof === '' || (before.proof !== this.#latest && this.judge(before) !== 'valid')) return before.proof;
    this.#latest = this.sign(next);
    return this.#latest;
  }

  /** HMAC-SHA-256. Every commit waits for one: an object of `createHmac` takes ten times as long. */
  #digest(text: string): string {
    const digest = hash('sha256', Buffer.concat([this.#inner, Buffer.from(text)]), 'buffer');
    return hash('sha256', Buffer.concat([this.#outer, digest]), 'hex');
  }
}
