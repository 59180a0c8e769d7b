import { compactRowsModule } from './compactRowsModule.ts';

/** A number exported by the module. */
interface Global {
  readonly value: number;
}

/** Exports of compactRows.as.ts; documented there. */
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

/** The part of the WebAssembly API used here; Node's types do not include it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: ModuleExports };
  readonly CompileError: new () => Error;
};

/** An instance of compactRows.as.ts, with views of its memory, which is not shared and never grows. */
export type CompactRowsInstance = ReturnType<typeof viewsOf>;

let compiled: object | undefined;
/** A released instance: creating one costs more than reading a small reply. */
let idle: CompactRowsInstance | undefined;

/**
 * Returns a new or released instance; undefined if WebAssembly, its SIMD instructions or the memory are not available.
 * Its memory has arbitrary content: cached column texts must also be cleared before use.
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
    // All rows can be read without WebAssembly.
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Releases an instance, which must not be used afterwards. */
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
