import { isIP } from 'node:net';

/** PEM files of a certificate, with those of its authorities, and of its key. */
export interface CertificateFiles {
  certificate: string;
  key: string;
}

/** How a server listens that clients on other machines reach. Has a certificate, a proxy or both. */
export interface PublicListening {
  /** IP address of this machine to listen on. */
  address: string;
  /** Origin by which clients reach the server; always https. */
  publicUrl: URL;
  certificate: CertificateFiles | undefined;
  /** IP address of the proxy that encrypts for this server and passes on its clients' addresses. */
  proxy: string | undefined;
}

/** Options that decide how the server listens. */
export interface ListeningValues {
  listen?: string | undefined;
  port?: string | undefined;
  'tls-cert'?: string | undefined;
  'tls-key'?: string | undefined;
  'behind-proxy'?: string | undefined;
  'public-url'?: string | undefined;
}

/**
 * Parses how the server listens; undefined for loopback only.
 * @throws Error with the reason and the next step for anything that would be reachable without encryption.
 */
export function parseListening(values: ListeningValues): PublicListening | undefined {
  const { listen, 'behind-proxy': proxy } = values;
  if (listen === undefined) {
    const needless = (['tls-cert', 'tls-key', 'behind-proxy', 'public-url'] as const).find(
      (name) => values[name] !== undefined,
    );
    if (needless === undefined) return undefined;
    throw new Error(
      `--${needless} has no effect on a server that listens on loopback only. Add --listen ADDRESS, or omit --${needless}.`,
    );
  }
  if (isIP(listen) === 0) {
    throw new Error(`--listen must be an IP address of this machine, such as 0.0.0.0 for all, not ${listen}.`);
  }
  if (proxy !== undefined && isIP(proxy) === 0) {
    throw new Error(`--behind-proxy must be the IP address from which the proxy connects, not ${proxy}.`);
  }
  const certificate = certificateFiles(values);
  if (!certificate && proxy === undefined) {
    throw new Error(
      `A server on ${listen} would receive passwords unencrypted. Add --tls-cert and --tls-key, or --behind-proxy with the ` +
        'address of a proxy that encrypts. Without --listen, the server listens on loopback only.',
    );
  }
  if (values.port === undefined) throw new Error('--listen needs a fixed port: add --port, such as --port 8443.');
  return { address: listen, publicUrl: parsePublicUrl(values['public-url']), certificate, proxy };
}

function certificateFiles({ 'tls-cert': certificate, 'tls-key': key }: ListeningValues): CertificateFiles | undefined {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined) throw new Error('--tls-key needs the certificate of the key: add --tls-cert FILE.');
  if (key === undefined) throw new Error('--tls-cert needs the key of the certificate: add --tls-key FILE.');
  return { certificate, key };
}

const publicUrlExample = 'Specify the origin that clients use, such as https://analytics.example.com.';

function parsePublicUrl(text: string | undefined): URL {
  if (text === undefined) {
    throw new Error(`--listen needs --public-url, because requests for other hosts are refused. ${publicUrlExample}`);
  }
  if (!URL.canParse(text)) throw new Error(`--public-url is not a URL: ${text}. ${publicUrlExample}`);
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new Error(`--public-url must begin with https://. ${publicUrlExample}`);
  if (url.username !== '' || url.password !== '') throw new Error(`--public-url has an account. ${publicUrlExample}`);
  if (url.href !== `${url.origin}/`) {
    throw new Error(`--public-url has a path, which --prefix sets: ${text}. ${publicUrlExample}`);
  }
  return url;
}

const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it',
  EADDRNOTAVAIL: 'it is not an address of this machine',
  EACCES: 'ports below 1024 need a permission (CAP_NET_BIND_SERVICE)',
};

/** Turns the error of an address that cannot be listened on into one that names the options; returns others unchanged. */
export function explainListenError(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen')) return error;
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const reason = listenFailures[code ?? ''] ?? error.message;
  return new Error(
    `The server cannot listen on ${address}, port ${port}: ${reason}. Specify another with --port, --listen or --monitor.`,
    { cause: error },
  );
}
