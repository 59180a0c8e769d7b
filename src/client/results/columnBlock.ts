import { blockRows, cellTag } from './resultCell.ts';

/** For each tag, a block full of it. */
const alike = Array.from({ length: cellTag.json + 1 }, (_, tag) => Buffer.alloc(blockRows, tag));

type PackedSlots = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * The cells of one column in one block of rows, packed: one tag for all where all are kept alike, and slots as distances
 * from the smallest one in as few bytes as they need.
 */
export class ColumnBlock {
  private readonly tags: Uint8Array | number;
  private readonly slots: PackedSlots | undefined;
  private readonly base: number;
  /** Which tags the cells have: bit n is set where some have tag n. */
  readonly tagBits: number;
  /** The largest slot, where slots are kept as distances. */
  private readonly high: number | undefined;

  /** Packs the first `rows` cells; the arrays are not kept. */
  constructor(tags: Uint8Array, slots: Float64Array, rows: number) {
    const first = tags[0] ?? cellTag.missing;
    const isUniform = areAll(tags, first, 0, rows);
    this.tags = isUniform ? first : tags.slice(0, rows);
    this.tagBits = isUniform ? 1 << first : bitsOf(tags, rows);
    const hasSlots = !isUniform || first >= cellTag.number;
    const range = hasSlots ? slotRange(isUniform ? undefined : tags, slots, rows) : nothing;
    // Adding -0 changes no number, not even -0.
    this.base = range?.low ?? -0;
    this.high = range?.high;
    this.slots = range === undefined ? slots.slice(0, rows) : packSlots(slots, rows, range);
  }

  /** Bytes of memory held. */
  get heldBytes(): number {
    return (typeof this.tags === 'number' ? 0 : this.tags.byteLength) + (this.slots?.byteLength ?? 0);
  }

  /** The smallest and the largest slot, where all cells have this tag and their slots are kept as distances. */
  rangeOf(tag: number): SlotRange | undefined {
    if (this.tagBits !== 1 << tag || this.high === undefined) return undefined;
    return { low: this.base, high: this.high };
  }

  /** Writes the distances of the slots from `low`, as many as fit, where slots are kept so. */
  readDistances(low: number, distances: Uint32Array): void {
    const { base, slots: packed } = this;
    if (packed === undefined) distances.fill(base - low);
    else {
      distances.set(packed.subarray(0, distances.length));
      if (base !== low) for (let row = 0; row < distances.length; row++) distances[row]! += base - low;
    }
  }

  /** Tag of the cell at `row` of this block. */
  tagAt(row: number): number {
    return typeof this.tags === 'number' ? this.tags : (this.tags[row] ?? cellTag.missing);
  }

  /** Slot of the cell at `row` of this block; without meaning where its tag has none. */
  slotAt(row: number): number {
    return this.base + (this.slots?.[row] ?? 0);
  }

  /** Unpacks the first `rows` cells. */
  read(tags: Uint8Array, slots: Float64Array, rows: number): void {
    if (typeof this.tags === 'number') tags.fill(this.tags, 0, rows);
    else tags.set(this.tags);
    const { base, slots: packed } = this;
    if (packed === undefined) {
      slots.fill(base, 0, rows);
      return;
    }
    // Copied at memory speed whatever their width; a loop over several kinds of arrays is several times slower.
    slots.set(packed);
    if (base !== 0) for (let row = 0; row < rows; row++) slots[row]! += base;
  }
}

/** Whether each of the cells from `start` to `end` (not included) has this tag. */
export function areAll(tags: Uint8Array, tag: number, start: number, end: number): boolean {
  return alike[tag]?.compare(tags, start, end, 0, end - start) === 0;
}

function bitsOf(tags: Uint8Array, rows: number): number {
  let bits = 0;
  for (let row = 0; row < rows; row++) bits |= 1 << tags[row]!;
  return bits;
}

/** Smallest and largest of some slots. */
export interface SlotRange {
  readonly low: number;
  readonly high: number;
}

const nothing: SlotRange = { low: 0, high: 0 };

/**
 * The range of the slots, unless they must be kept as doubles: fractions, -0, or too far apart.
 * @param tags tells which cells have a slot; without it, all have.
 */
function slotRange(tags: Uint8Array | undefined, slots: Float64Array, rows: number): SlotRange | undefined {
  let low = Infinity;
  let high = -Infinity;
  for (let row = 0; row < rows; row++) {
    if (tags !== undefined && tags[row]! < cellTag.number) continue;
    const slot = slots[row]!;
    if (slot !== Math.floor(slot) || (slot === 0 && 1 / slot < 0)) return undefined;
    if (slot < low) low = slot;
    if (slot > high) high = slot;
  }
  if (low > high) return nothing;
  const isExact = low >= Number.MIN_SAFE_INTEGER && high <= Number.MAX_SAFE_INTEGER;
  return isExact && high - low < 2 ** 32 ? { low, high } : undefined;
}

/** The slots as distances from the lowest; nothing where all are alike. Those of cells without one are left to chance. */
function packSlots(slots: Float64Array, rows: number, { low, high }: SlotRange): PackedSlots | undefined {
  const distance = high - low;
  if (distance === 0) return undefined;
  if (distance < 2 ** 8) return distances(new Uint8Array(rows), slots, low);
  if (distance < 2 ** 16) return distances(new Uint16Array(rows), slots, low);
  return distances(new Uint32Array(rows), slots, low);
}

function distances(packed: Uint8Array | Uint16Array | Uint32Array, slots: Float64Array, low: number): PackedSlots {
  for (let row = 0; row < packed.length; row++) packed[row] = slots[row]! - low;
  return packed;
}
