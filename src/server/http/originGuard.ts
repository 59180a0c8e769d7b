import type { IncomingMessage } from 'node:http';

/** Which web origins may call: any (as the API description has it), none but the server's own pages, or one more. */
export type AllowedOrigin = { kind: 'any' } | { kind: 'none' } | { kind: 'one'; origin: string };

/** Reads the value of `--allow-origin`. @throws Error when it is no origin. */
export function parseAllowedOrigin(value: string): AllowedOrigin {
  if (value === '*') return { kind: 'any' };
  if (value === 'none') return { kind: 'none' };
  if (URL.canParse(value) && new URL(value).origin === value) return { kind: 'one', origin: value };
  throw new Error(`--allow-origin must be '*', 'none' or an origin such as https://example.org, not ${value}`);
}

/**
 * Refuses requests that a browser was tricked into sending, before anything of them is parsed: the Host must be this
 * server by one of its loopback names (a rebound DNS name is not), and the Origin, if any, an allowed one.
 */
export class OriginGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #ownOrigins: ReadonlySet<string>;
  readonly #allowed: AllowedOrigin;

  constructor(port: number, allowed: AllowedOrigin) {
    const names = ['127.0.0.1', 'localhost', '[::1]'];
    const hosts = names.map((name) => `${name}:${port}`);
    this.#hosts = new Set(port === 80 ? [...hosts, ...names] : hosts);
    this.#ownOrigins = new Set([...this.#hosts].map((host) => `http://${host}`));
    this.#allowed = allowed;
  }

  /** Why a request is refused, or undefined when it may pass. */
  refusal(request: IncomingMessage): string | undefined {
    const host = request.headers.host?.toLowerCase();
    if (host === undefined || !this.#hosts.has(host)) return 'This server answers to its loopback address only.';
    const { origin } = request.headers;
    if (origin === undefined || this.#allowed.kind === 'any' || this.#ownOrigins.has(origin.toLowerCase())) {
      return undefined;
    }
    if (this.#allowed.kind === 'one' && origin === this.#allowed.origin) return undefined;
    return 'Web pages of this origin may not call this server.';
  }

  /** Whether a browser sends a request for a page that is not this server's own. */
  isFromWebPage({ headers }: IncomingMessage): boolean {
    const { origin } = headers;
    if (origin !== undefined) return !this.#ownOrigins.has(origin.toLowerCase());
    const site = headers['sec-fetch-site'];
    return site !== undefined && site !== 'same-origin' && site !== 'none';
  }

  /** Headers that let a browser read the reply. */
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
