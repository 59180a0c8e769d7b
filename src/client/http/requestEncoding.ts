import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const gzipAsync = promisify(gzip);
/** Minimum length of a body worth compressing. */
const shortestToCompress = 2_048;

/** The body of a request, with its own headers. */
export interface EncodedBody {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Compresses the bodies of requests for a server that says that it takes them so, in the `Accept-Encoding` of its
 * replies (RFC 7694). Other servers would refuse them.
 */
export class RequestEncoding {
  #takesGzip = false;

  async encode(json: string): Promise<EncodedBody> {
    if (!this.#takesGzip || json.length < shortestToCompress) return { body: json, headers: {} };
    return { body: await gzipAsync(json), headers: { 'content-encoding': 'gzip' } };
  }

  /** Notes what a reply says about requests. @param accepted its `Accept-Encoding`; empty if it has none. */
  answered(status: number, accepted: string): void {
    // It refuses an encoding with this status; without the header it takes none.
    if (accepted !== '' || status === 415) this.#takesGzip = takesGzip(accepted);
  }
}

function takesGzip(accepted: string): boolean {
  return accepted.split(',').some((part) => /^\s*(x-)?gzip\s*(;\s*q\s*=\s*(1|0?\.\d*[1-9])[\d.]*\s*)?$/i.test(part));
}
