/** Ways to read the reply that are compared; `storeJs` is the store without WebAssembly. */
export type Method = 'drain' | 'parse' | 'store' | 'storeJs';

/** Work on a full store, in milliseconds. */
export interface ViewTimes {
  readonly sort: number;
  readonly filter: number;
  readonly group: number;
}

/** What one reader process measured. */
export interface Measured {
  /** From sending the request until all was read and usable. */
  readonly totalMs: number;
  /** From the first byte of the response, its head, until 1,000 rows were usable. */
  readonly firstMs: number;
  /** Growth of the resident set at its peak. */
  readonly peakBytes: number;
  /** Growth of heap and array buffers after a collection. */
  readonly heldBytes: number;
  /** Longest block of the event loop. */
  readonly blockMs: number;
  /** Only for the store: medians over several runs. */
  readonly views: ViewTimes | undefined;
}
