import type { BytePages } from './bytePages.ts';
import { areAll, ColumnBlock } from './columnBlock.ts';
import type { SlotRange } from './columnBlock.ts';
import { KeyBytes } from './scan/keyBytes.ts';
import { blockRows, cellTag } from './resultCell.ts';
import type { CellValue } from './resultCell.ts';
import { TextDictionary } from './textDictionary.ts';

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
