import type { BytePages } from './bytePages.ts';
import { KeyBytes } from './scan/keyBytes.ts';
import { blockRows, cellTag, type CellValue } from './resultCell.ts';
import { TextDictionary } from './textDictionary.ts';

/** For each tag, a block filled with it. */
const alike = Array.from({ length: cellTag.json + 1 }, (_, tag) => Buffer.alloc(blockRows, tag));

type PackedSlots = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * The cells of one column in one block of rows, packed: a single tag if all are the same, and slots as offsets from the
 * smallest one in as few bytes as possible.
 */
class ColumnBlock {
  private readonly tags: Uint8Array | number;
  private readonly slots: PackedSlots | undefined;
  private readonly base: number;
  /** Tags that occur: bit n is set if a cell has tag n. */
  readonly tagBits: number;
  /** The largest slot, if slots are stored as offsets. */
  private readonly high: number | undefined;

  /** Packs the first `rows` cells; does not retain the arrays. */
  constructor(tags: Uint8Array, slots: Float64Array, rows: number) {
    const first = tags[0] ?? cellTag.missing;
    const isUniform = areAll(tags, first, 0, rows);
    this.tags = isUniform ? first : tags.slice(0, rows);
    this.tagBits = isUniform ? 1 << first : bitsOf(tags, rows);
    const hasSlots = !isUniform || first >= cellTag.number;
    const range = hasSlots ? slotRange(isUniform ? undefined : tags, slots, rows) : nothing;
    // Adding -0 leaves every number unchanged, even -0.
    this.base = range?.low ?? -0;
    this.high = range?.high;
    this.slots = range === undefined ? slots.slice(0, rows) : packSlots(slots, rows, range);
  }

  /** Bytes of memory in use. */
  get heldBytes(): number {
    return (typeof this.tags === 'number' ? 0 : this.tags.byteLength) + (this.slots?.byteLength ?? 0);
  }

  /** The smallest and the largest slot, if all cells have this tag and their slots are stored as offsets. */
  rangeOf(tag: number): SlotRange | undefined {
    if (this.tagBits !== 1 << tag || this.high === undefined) return undefined;
    return { low: this.base, high: this.high };
  }

  /** Writes the offsets of the slots from `low`, as many as fit, if slots are stored as offsets. */
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

  /** Slot of the cell at `row` of this block; meaningless for tags without a slot. */
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
    // Copies at memory speed for any width; a loop over several array types is several times slower.
    slots.set(packed);
    if (base !== 0) for (let row = 0; row < rows; row++) slots[row]! += base;
  }
}

/** Whether all cells from `start` to `end` (exclusive) have this tag. */
function areAll(tags: Uint8Array, tag: number, start: number, end: number): boolean {
  return alike[tag]?.compare(tags, start, end, 0, end - start) === 0;
}

function bitsOf(tags: Uint8Array, rows: number): number {
  let bits = 0;
  for (let row = 0; row < rows; row++) bits |= 1 << tags[row]!;
  return bits;
}

/** Smallest and largest slot. */
interface SlotRange {
  readonly low: number;
  readonly high: number;
}

const nothing: SlotRange = { low: 0, high: 0 };

/**
 * The range of the slots; undefined if they must be stored as doubles: fractions, -0, or too far apart.
 * @param tags show which cells have a slot; default: all.
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

/** The slots as offsets from the lowest; nothing if all are equal. Values of cells without a slot are undefined. */
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

/** Longer texts, in bytes, are not looked up in the dictionary. */
export const longestInterned = 255;
const dictionaryTexts = 65_536;
const dictionaryBytes = 4 * 1024 ** 2;
const dictionaryProbes = 64;
/** A block with fewer new texts than this says nothing about the column. */
const fewNewTexts = 400;

/**
 * All cells of one column. The scanner writes the newest rows directly to `tags` and `slots`; full blocks are packed.
 * Texts are looked up in a dictionary until most of them turn out to be new, and are stored in byte pages from then on.
 */
export class ColumnData {
  readonly key: string;
  readonly pages: BytePages;
  /** Cells of the block being filled; `missing` until written. */
  tags = new Uint8Array(blockRows);
  slots = new Float64Array(blockRows);
  readonly dictionary = new TextDictionary(dictionaryTexts, dictionaryProbes);
  /** Whether new texts are looked up in the dictionary. */
  isInterning = true;

  /** The bytes `"key":` as last written in the reply. */
  keyBytes = new KeyBytes();
  /** The column that last followed this one: a guess for the next row. */
  next: ColumnData | undefined;

  private readonly blocks: (ColumnBlock | undefined)[] = [];
  private blockBytes = 0;
  private knownTexts = 0;

  constructor(key: string, pages: BytePages) {
    this.key = key;
    this.pages = pages;
  }

  /** Bytes of memory in use, without the pages, which columns share. */
  get heldBytes(): number {
    return this.blockBytes + this.dictionary.heldBytes + this.tags.byteLength + this.slots.byteLength;
  }

  /** Packs the first `rows` cells being filled as block number `index`. Blocks without cells take no memory. */
  seal(index: number, rows: number): void {
    if (areAll(this.tags, cellTag.missing, 0, rows)) return;
    const block = new ColumnBlock(this.tags, this.slots, rows);
    this.blocks[index] = block;
    this.blockBytes += block.heldBytes;
    if (this.isInterning) this.reviewDictionary(rows);
    this.tags.fill(cellTag.missing);
  }

  /** Frees the memory used for filling; nothing can be written afterwards. */
  finish(): void {
    this.tags = new Uint8Array(0);
    this.slots = new Float64Array(0);
    this.dictionary.finish();
  }

  /** Unpacks block number `index` of `rows` rows. */
  readBlock(index: number, rows: number, tags: Uint8Array, slots: Float64Array, isSealed: boolean): void {
    const block = this.blocks[index];
    if (block !== undefined) block.read(tags, slots, rows);
    else if (isSealed) tags.fill(cellTag.missing, 0, rows);
    else {
      tags.set(this.tags.subarray(0, rows));
      slots.set(this.slots.subarray(0, rows));
    }
  }

  /** Tags of the cells of block number `index`, as bits; undefined until it is packed. */
  tagBits(index: number): number | undefined {
    return this.blocks[index]?.tagBits;
  }

  /**
   * Range of the slots of block number `index`, if all cells have this tag; undefined also if slots are not stored as
   * offsets.
   */
  rangeOf(index: number, tag: number): SlotRange | undefined {
    return this.blocks[index]?.rangeOf(tag);
  }

  /** Writes the offsets of the slots of block number `index` from `low`, if it has such a range; as many as fit. */
  readDistances(index: number, low: number, distances: Uint32Array): void {
    this.blocks[index]?.readDistances(low, distances);
  }

  /** Value of the cell at `row` of block number `index`. */
  cell(index: number, row: number, isSealed: boolean): CellValue {
    const block = this.blocks[index];
    if (block !== undefined) return this.valueOf(block.tagAt(row), block.slotAt(row));
    if (isSealed) return undefined;
    return this.valueOf(this.tags[row] ?? cellTag.missing, this.slots[row] ?? 0);
  }

  /** Writes tag and slot of the cell at `row` of block number `index` to position `at` of the arrays. */
  readCell(index: number, row: number, isSealed: boolean, at: number, tags: Uint8Array, slots: Float64Array): void {
    const block = this.blocks[index];
    if (block !== undefined) {
      tags[at] = block.tagAt(row);
      slots[at] = block.slotAt(row);
    } else if (isSealed) tags[at] = cellTag.missing;
    else {
      tags[at] = this.tags[row] ?? cellTag.missing;
      slots[at] = this.slots[row] ?? 0;
    }
  }

  /** The value for a tag and a slot of this column. */
  valueOf(tag: number, slot: number): CellValue {
    switch (tag) {
      case cellTag.null:
        return null;
      case cellTag.false:
        return false;
      case cellTag.true:
        return true;
      case cellTag.number:
        return slot;
      case cellTag.exact:
        return { kind: 'exact', text: this.pages.textAt(slot) };
      case cellTag.code:
        return this.dictionary.textOf(slot);
      case cellTag.text:
        return this.pages.textAt(slot);
      case cellTag.literal:
        return String(JSON.parse(this.pages.textAt(slot)));
      case cellTag.json:
        return { kind: 'json', text: this.pages.textAt(slot) };
      default:
        return undefined;
    }
  }

  /** Stops interning when the dictionary is full, or when three quarters of the block's texts were new to it. */
  private reviewDictionary(rows: number): void {
    const added = this.dictionary.size - this.knownTexts;
    this.knownTexts = this.dictionary.size;
    if (this.knownTexts >= dictionaryTexts || this.dictionary.heldBytes > dictionaryBytes) this.isInterning = false;
    if (added < fewNewTexts) return;
    let texts = 0;
    for (let row = 0; row < rows; row++) if (this.tags[row] === cellTag.code) texts++;
    if (added * 4 > texts * 3) this.isInterning = false;
  }
}
