import { performance } from 'node:perf_hooks';
import { setImmediate as immediate } from 'node:timers/promises';

/** Milliseconds of work before other work runs. */
const usualSliceMs = 8;

/**
 * The same for background work. A message from a page takes several turns to arrive: with slices of the usual length it
 * came 40 to 60 ms late.
 */
export const quietSliceMs = 2;

/**
 * Splits long work into slices, so that nothing else in the process waits long; ends it when the caller's signal fires.
 */
export class Pacer {
  private readonly signal: AbortSignal | undefined;
  private readonly sliceMs: number;
  private sliceStart = performance.now();

  constructor(signal: AbortSignal | undefined, sliceMs = usualSliceMs) {
    this.signal = signal;
    this.sliceMs = sliceMs;
  }

  /** Whether to call `pause` now. Check this about every millisecond. */
  get isDue(): boolean {
    return performance.now() - this.sliceStart >= this.sliceMs;
  }

  /**
   * Lets other work run.
   * @throws the signal's reason once it has fired.
   */
  async pause(): Promise<void> {
    await immediate();
    this.signal?.throwIfAborted();
    this.sliceStart = performance.now();
  }
}
