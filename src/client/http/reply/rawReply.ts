/** A whole reply as it came. */
export interface RawReply {
  status: number;
  contentType: string;
  text: string;
}

/** An empty 204: the token is rejected or the caller lacks permission; only CheckSession can tell which. */
export const emptyReply = Symbol('empty reply');
