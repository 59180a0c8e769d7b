import { cellTag } from './resultCell.ts';

type PackedSlots = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * The cells of one column in one block of rows, packed: one tag for all where all are kept alike, and slots as distances
 * from the smallest one in as few bytes as they need.
 */
export class ColumnBlock {
  /** Cells whose text is in the dictionary. */
  readonly codes: number;
  private readonly tags: Uint8Array | number;
  private readonly slots: PackedSlots | undefined;
  private readonly base: number;

  /** Packs the first `rows` cells; the arrays are not kept. */
  constructor(tags: Uint8Array, slots: Float64Array, rows: number) {
    const range = measure(tags, slots, rows);
    this.codes = range.codes;
    this.tags = range.isUniform ? tags[0]! : tags.slice(0, rows);
    // Adding -0 changes no number, not even -0.
    this.base = range.isPackable ? range.low : -0;
    this.slots = packSlots(slots, rows, range);
  }

  /** Bytes of memory held. */
  get heldBytes(): number {
    return (typeof this.tags === 'number' ? 0 : this.tags.byteLength) + (this.slots?.byteLength ?? 0);
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
    const packed = this.slots;
    if (packed === undefined) slots.fill(this.base, 0, rows);
    else for (let row = 0; row < rows; row++) slots[row] = this.base + packed[row]!;
  }
}

interface SlotRange {
  /** Whether all cells have the same tag. */
  readonly isUniform: boolean;
  readonly codes: number;
  /** Smallest and largest slot; Infinity and -Infinity where no cell has one. */
  readonly low: number;
  readonly high: number;
  /** Whether the slots are whole numbers whose distances are exact and fit 32 bits. */
  readonly isPackable: boolean;
}

function measure(tags: Uint8Array, slots: Float64Array, rows: number): SlotRange {
  const first = tags[0];
  let isUniform = true;
  let isWhole = true;
  let codes = 0;
  let low = Infinity;
  let high = -Infinity;
  for (let row = 0; row < rows; row++) {
    const tag = tags[row]!;
    if (tag !== first) isUniform = false;
    if (tag < cellTag.number) continue;
    if (tag === cellTag.code) codes++;
    const slot = slots[row]!;
    if (slot < low) low = slot;
    if (slot > high) high = slot;
    if (slot !== Math.floor(slot) || (slot === 0 && 1 / slot < 0)) isWhole = false;
  }
  const isExact = low >= Number.MIN_SAFE_INTEGER && high <= Number.MAX_SAFE_INTEGER;
  return { isUniform, codes, low, high, isPackable: isWhole && isExact && low <= high && high - low < 2 ** 32 };
}

/** The slots in the narrowest array that holds them; nothing where all are alike. Those of cells without one are left to chance. */
function packSlots(slots: Float64Array, rows: number, range: SlotRange): PackedSlots | undefined {
  const { low, high } = range;
  if (low > high) return undefined;
  if (!range.isPackable) return slots.slice(0, rows);
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
