import type { IncomingMessage } from 'node:http';

/** Web origins that may call: any (as in the API description), only the server's own pages, or one more. */
export type AllowedOrigin = { kind: 'any' } | { kind: 'none' } | { kind: 'one'; origin: string };

/** Parses the value of `--allow-origin`. @throws Error when it is not an origin. */
export function parseAllowedOrigin(value: string): AllowedOrigin {
  if (value === '*') return { kind: 'any' };
  if (value === 'none') return { kind: 'none' };
  if (URL.canParse(value) && new URL(value).origin === value) return { kind: 'one', origin: value };
  throw new Error(`--allow-origin must be '*', 'none' or an origin such as https://example.org, not ${value}`);
}

/**
 * Rejects requests that a browser was tricked into sending, before parsing anything else: the Host must be a name of
 * this server (which excludes a rebound DNS name), and the Origin, if present, must be allowed.
 */
export class OriginGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #ownOrigins: ReadonlySet<string>;
  readonly #allowed: AllowedOrigin;
  readonly #hostRefusal: string;

  /** @param publicUrl origin by which clients reach the server; undefined for one on loopback. */
  constructor(port: number, allowed: AllowedOrigin, publicUrl?: URL) {
    this.#hosts = publicUrl ? publicHosts(publicUrl) : loopbackHosts(port);
    this.#ownOrigins = new Set([...this.#hosts].map((host) => `${publicUrl ? 'https' : 'http'}://${host}`));
    this.#allowed = allowed;
    this.#hostRefusal = `This server answers to ${publicUrl ? publicUrl.origin : 'its loopback address'} only.`;
  }

  /** Returns why a request is rejected, or undefined if it is allowed. */
  refusal(request: IncomingMessage): string | undefined {
    const host = request.headers.host?.toLowerCase();
    if (host === undefined || !this.#hosts.has(host)) return this.#hostRefusal;
    const { origin } = request.headers;
    if (origin === undefined || this.#allowed.kind === 'any' || this.#ownOrigins.has(origin.toLowerCase())) {
      return undefined;
    }
    if (this.#allowed.kind === 'one' && origin === this.#allowed.origin) return undefined;
    return 'Web pages of this origin may not call this server.';
  }

  /** Whether a browser sent the request for a page of another origin. */
  isFromWebPage({ headers }: IncomingMessage): boolean {
    const { origin } = headers;
    if (origin !== undefined) return !this.#ownOrigins.has(origin.toLowerCase());
    const site = headers['sec-fetch-site'];
    return site !== undefined && site !== 'same-origin' && site !== 'none';
  }

  /** Headers that allow the browser to read the reply. */
  corsHeaders(): Readonly<Record<string, string>> {
    switch (this.#allowed.kind) {
      case 'any':
        return { 'Access-Control-Allow-Origin': '*' };
      case 'one':
        return { 'Access-Control-Allow-Origin': this.#allowed.origin, Vary: 'Origin' };
      case 'none':
        return {};
    }
  }
}

function loopbackHosts(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  const hosts = names.map((name) => `${name}:${port}`);
  return new Set(port === 80 ? [...hosts, ...names] : hosts);
}

function publicHosts({ host, hostname, port }: URL): ReadonlySet<string> {
  return new Set(port === '' ? [host, `${hostname}:443`] : [host]);
}
