import type { BytePages } from './bytePages.ts';
import { KeyBytes } from './scan/keyBytes.ts';
import { blockRows, cellTag, type CellValue } from './resultCell.ts';
import { TextDictionary } from './textDictionary.ts';

/** For each tag, a block full of it. */
const alike = Array.from({ length: cellTag.json + 1 }, (_, tag) => Buffer.alloc(blockRows, tag));

type PackedSlots = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * The cells of one column in one block of rows, packed: one tag for all where all are kept alike, and slots as distances
 * from the smallest one in as few bytes as they need.
 */
class ColumnBlock {
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
function areAll(tags: Uint8Array, tag: number, start: number, end: number): boolean {
  return alike[tag]?.compare(tags, start, end, 0, end - start) === 0;
}

function bitsOf(tags: Uint8Array, rows: number): number {
  let bits = 0;
  for (let row = 0; row < rows; row++) bits |= 1 << tags[row]!;
  return bits;
}

/** Smallest and largest of some slots. */
interface SlotRange {
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

/** Texts longer than this, in bytes, are not looked up in the dictionary. */
export const longestInterned = 255;
const dictionaryTexts = 65_536;
const dictionaryBytes = 4 * 1024 ** 2;
const dictionaryProbes = 64;
/** A block with fewer new texts than this says nothing about the column. */
const fewNewTexts = 400;

/**
 * All cells of one column. The newest rows lie in `tags` and `slots`, which the scanner writes directly; full blocks are
 * packed. Texts are looked up in a dictionary until most of them turn out to be new, and go to byte pages from then on.
 */
export class ColumnData {
  readonly key: string;
  readonly pages: BytePages;
  /** Cells of the block that is being filled; `missing` wherever nothing was written. */
  tags = new Uint8Array(blockRows);
  slots = new Float64Array(blockRows);
  readonly dictionary = new TextDictionary(dictionaryTexts, dictionaryProbes);
  /** Whether further texts are looked up in the dictionary. */
  isInterning = true;

  /** The bytes `"key":` as the reply last wrote them. */
  keyBytes = new KeyBytes();
  /** The column that followed this one when it was last seen: a guess for the next row. */
  next: ColumnData | undefined;

  private readonly blocks: (ColumnBlock | undefined)[] = [];
  private blockBytes = 0;
  private knownTexts = 0;

  constructor(key: string, pages: BytePages) {
    this.key = key;
    this.pages = pages;
  }

  /** Bytes of memory held, without the pages, which columns share. */
  get heldBytes(): number {
    return this.blockBytes + this.dictionary.heldBytes + this.tags.byteLength + this.slots.byteLength;
  }

  /** Packs the first `rows` cells being filled as block number `index`. Blocks without any cell take no memory. */
  seal(index: number, rows: number): void {
    if (areAll(this.tags, cellTag.missing, 0, rows)) return;
    const block = new ColumnBlock(this.tags, this.slots, rows);
    this.blocks[index] = block;
    this.blockBytes += block.heldBytes;
    if (this.isInterning) this.reviewDictionary(rows);
    this.tags.fill(cellTag.missing);
  }

  /** Gives back the memory kept for filling; nothing is written afterwards. */
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

  /** Which tags the cells of block number `index` have, as bits; undefined while it is not packed. */
  tagBits(index: number): number | undefined {
    return this.blocks[index]?.tagBits;
  }

  /** Between which slots the cells of block number `index` lie, where all of them have this tag; undefined also where slots are not kept as distances. */
  rangeOf(index: number, tag: number): SlotRange | undefined {
    return this.blocks[index]?.rangeOf(tag);
  }

  /** Writes the distances of the cells of block number `index` from `low`, where they have such a range; as many as fit. */
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

  /** Puts tag and slot of the cell at `row` of block number `index` into place `at` of the arrays. */
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

  /** The value that a tag and a slot of this column stand for. */
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

  /** Stops interning when the dictionary is full, or when three in four of the block's texts were new to it. */
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
