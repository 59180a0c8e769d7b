import { textRowsModule } from './textRowsModule.ts';

/** A number exported by the module. */
interface Global {
  readonly value: number;
}

/** Exports of textRows.as.ts; documented there. */
interface ModuleExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly maxRows: Global;
  readonly maxColumns: Global;
  readonly constantBytes: Global;
  readonly knownBytes: Global;
  readonly frames: Global;
  readonly frameBytes: Global;
  readonly longestText: Global;
  readonly outBytes: Global;
  readonly maxCodes: Global;
  readonly maxPages: Global;
  readonly specialFirstAt: Global;
  readonly specialAt: Global;
  readonly aroundAt: Global;
  readonly cellsAt: Global;
  readonly codeRangesAt: Global;
  readonly codesAt: Global;
  readonly placesAt: Global;
  readonly tagsAt: Global;
  readonly slotsAt: Global;
  readonly constantsAt: Global;
  readonly knownAt: Global;
  readonly framesAt: Global;
  readonly outAt: Global;
  readonly out: Global;
  readonly row: Global;
  readonly column: Global;
  readonly isFirst: Global;
  readonly allWritten: Global;
  readonly notMine: Global;
  readonly wanted: Global;
  begin(to: number): void;
  moveTo(to: number): void;
  skip(to: number): void;
  writeRows(rows: number, columns: number, end: number, isStart: number, doublesQuotes: number): number;
}

/** The part of the WebAssembly API used here; Node's types do not include it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: ModuleExports };
  readonly CompileError: new () => Error;
};

/** An instance of textRows.as.ts, with views of its memory, which is not shared and never grows. */
export type TextRowsInstance = ReturnType<typeof viewsOf>;

/** Compiled once: code that has run before is fast from its first row. */
let compiled: object | undefined;

/**
 * Returns a new instance; undefined if WebAssembly, its SIMD instructions or the memory, 21 MB at most, are not
 * available.
 */
export function openTextRows(): TextRowsInstance | undefined {
  if (typeof WebAssembly === 'undefined') return undefined;
  try {
    compiled ??= new WebAssembly.Module(Buffer.from(textRowsModule, 'base64'));
    return viewsOf(new WebAssembly.Instance(compiled).exports);
  } catch (error) {
    // Everything can be written without WebAssembly.
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function viewsOf(module: ModuleExports) {
  const { buffer } = module.memory;
  return {
    module,
    maxColumns: module.maxColumns.value,
    outBytes: module.outBytes.value,
    bytes: Buffer.from(buffer),
    around: new Int32Array(buffer, module.aroundAt.value, 8),
    cells: new Int32Array(buffer, module.cellsAt.value, module.maxColumns.value * 20),
    codeRanges: new Int32Array(buffer, module.codeRangesAt.value, module.maxColumns.value * 2),
    codes: new Int32Array(buffer, module.codesAt.value, module.maxCodes.value * 2),
    places: new Int32Array(buffer, module.placesAt.value, module.maxPages.value),
    /** Target arrays for the cells of column number `column`. */
    cellsOf: (column: number) => ({
      tags: new Uint8Array(buffer, module.tagsAt.value + column * module.maxRows.value, module.maxRows.value),
      slots: new Float64Array(buffer, module.slotsAt.value + column * module.maxRows.value * 8, module.maxRows.value),
    }),
  };
}
