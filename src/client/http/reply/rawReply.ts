/** A whole reply as received. */
export interface RawReply {
  status: number;
  contentType: string;
  text: string;
}

/** An empty 204: the token was rejected or permission is missing; only CheckSession can tell which. */
export const emptyReply = Symbol('empty reply');
