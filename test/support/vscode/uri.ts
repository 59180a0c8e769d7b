import path from 'node:path';

/** Parts of an address. */
interface UriParts {
  scheme: string;
  authority?: string;
  path?: string;
  query?: string;
  fragment?: string;
}

/** An address, as the editor's: parts are kept decoded, and encoded as text. */
export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;

  private constructor({ scheme, authority = '', path: place = '', query = '', fragment = '' }: UriParts) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = place;
    this.query = query;
    this.fragment = fragment;
  }

  get fsPath(): string {
    return this.path;
  }

  with(change: Partial<UriParts>): Uri {
    const { scheme, authority, path: place, query, fragment } = this;
    return new Uri({ scheme, authority, path: place, query, fragment, ...change });
  }

  toString(skipEncoding = false): string {
    const encode = skipEncoding ? (text: string) => text : encodeURIComponent;
    const query = this.query === '' ? '' : `?${encode(this.query)}`;
    const fragment = this.fragment === '' ? '' : `#${encode(this.fragment)}`;
    const place = this.path.split('/').map(encode).join('/');
    return `${this.scheme}://${this.authority}${place}${query}${fragment}`;
  }

  static from(parts: UriParts): Uri {
    return new Uri(parts);
  }

  static file(fsPath: string): Uri {
    return new Uri({ scheme: 'file', path: fsPath });
  }

  static parse(address: string): Uri {
    const [, scheme = '', authority = '', place = '', query = '', fragment = ''] =
      /^([\w.+-]+):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(address) ?? [];
    const [plainPath, plainQuery, plainFragment] = [place, query, fragment].map(decodeURIComponent);
    return new Uri({ scheme, authority, path: plainPath, query: plainQuery, fragment: plainFragment });
  }

  static joinPath(base: Uri, ...parts: string[]): Uri {
    return base.with({ path: path.posix.join(base.path, ...parts) });
  }
}
