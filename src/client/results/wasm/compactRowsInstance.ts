import { compactRowsModule } from './compactRowsModule.ts';

/** A number that the module exports. */
interface Global {
  readonly value: number;
}

/** What compactRows.as.ts exports; explained there. */
interface ModuleExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly maxRows: Global;
  readonly maxColumns: Global;
  readonly maxKeyBytes: Global;
  readonly maxKnownBytes: Global;
  readonly windowBytes: Global;
  readonly windowAt: Global;
  readonly keysAt: Global;
  readonly keyLengthsAt: Global;
  readonly interningAt: Global;
  readonly tagsAt: Global;
  readonly slotsAt: Global;
  readonly pendingAt: Global;
  readonly next: Global;
  readonly pending: Global;
  scanRows(at: number, columns: number, rows: number): number;
  remember(column: number, at: number, length: number, code: number): void;
  forget(column: number): void;
}

/** The part of the WebAssembly API that is used here; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: ModuleExports };
  readonly CompileError: new () => Error;
};

/** An instance of compactRows.as.ts, and views on its memory, which it has for itself and which never grows. */
export type CompactRowsInstance = ReturnType<typeof viewsOf>;

let compiled: object | undefined;
/** One that was given back: making one costs more than reading a small reply. */
let idle: CompactRowsInstance | undefined;

/**
 * An instance, new or given back; undefined where WebAssembly, its SIMD instructions or the memory are not to be had.
 * Its memory holds anything: the texts of a column too must be forgotten before it is used.
 */
export function openCompactRows(): CompactRowsInstance | undefined {
  if (typeof WebAssembly === 'undefined') return undefined;
  const known = idle;
  idle = undefined;
  if (known !== undefined) return known;
  try {
    compiled ??= new WebAssembly.Module(Buffer.from(compactRowsModule, 'base64'));
    return viewsOf(new WebAssembly.Instance(compiled).exports);
  } catch (error) {
    // All rows can be read without it.
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Gives an instance back; nothing of it is used afterwards. */
export function closeCompactRows(instance: CompactRowsInstance): void {
  idle = instance;
}

function viewsOf(module: ModuleExports) {
  const { buffer } = module.memory;
  const maxColumns = module.maxColumns.value;
  const maxKeyBytes = module.maxKeyBytes.value;
  const cells = module.maxRows.value * maxColumns;
  return {
    module,
    maxRows: module.maxRows.value,
    maxColumns,
    maxKeyBytes,
    maxKnownBytes: module.maxKnownBytes.value,
    window: Buffer.from(buffer, module.windowAt.value, module.windowBytes.value),
    keys: new Uint8Array(buffer, module.keysAt.value, maxColumns * maxKeyBytes),
    keyLengths: new Uint8Array(buffer, module.keyLengthsAt.value, maxColumns),
    interning: new Uint8Array(buffer, module.interningAt.value, maxColumns),
    tags: new Uint8Array(buffer, module.tagsAt.value, cells),
    slots: new Float64Array(buffer, module.slotsAt.value, cells),
    pendingCells: new Int32Array(buffer, module.pendingAt.value, cells * 4),
  };
}
