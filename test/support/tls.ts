import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { mayMiss } from './run/mayMiss.ts';

const run = promisify(execFile);

/** Whether certificates can be made here: Node has no way to, so `openssl` does it. */
export const canMakeCertificates = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    // Not installed: tests that need certificates are shown as skipped.
    mayMiss('openssl');
    return false;
  }
})();

/** A certificate with its key, PEM. */
export interface MadeCertificate {
  certificate: string;
  key: string;
}

/** What a certificate is made for; by default this machine's address, valid from now for a month. */
export interface CertificateWish {
  names?: string;
  /** Negative for one that has expired. */
  days?: number;
  isSelfSigned?: boolean;
  /** Common name that it is made for. */
  subject?: string;
}

/** An authority of its own in a folder of its own. */
export interface Authority {
  /** Certificate of the authority, PEM. */
  ca: string;
  make(wish?: CertificateWish): Promise<MadeCertificate>;
  remove(): Promise<void>;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes an authority that no machine knows. */
export async function makeAuthority(): Promise<Authority> {
  const folder = await mkdtemp(path.join(tmpdir(), 'analytics-tls-'));
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  await openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '30',
    '-subj',
    '/CN=Test CA',
  );
  let count = 0;
  return {
    ca: await readFile(path.join(folder, 'ca.pem'), 'utf8'),
    async make({ names = 'IP:127.0.0.1', days = 30, isSelfSigned = false, subject = 'Test Server' } = {}) {
      const name = `leaf${++count}`;
      await writeFile(path.join(folder, `${name}.ext`), `subjectAltName=${names}\n`);
      await openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${subject}`);
      const signer = isSelfSigned
        ? ['-signkey', `${name}.key`]
        : ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
      const files = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', `${name}.ext`];
      await openssl('x509', '-req', ...files, ...signer, '-days', String(days));
      return {
        certificate: await readFile(path.join(folder, `${name}.pem`), 'utf8'),
        key: await readFile(path.join(folder, `${name}.key`), 'utf8'),
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** An https server on loopback that answers every request alike and counts what reaches it inside the encryption. */
export interface TlsServer {
  url: string;
  /** Bytes of requests received: zero when every client stopped at the certificate. */
  receivedBytes: () => number;
  /** Connections that went on with the TLS session of an earlier one. */
  resumed: () => number;
  /** Shows another certificate from the next connection on, and ends those that are open. */
  swap(certificate: MadeCertificate): void;
  close(): Promise<void>;
}

interface TlsServerOptions {
  requestCert?: boolean;
  ca?: string;
  forwardTo?: string;
  status?: number;
  isHttp2?: boolean;
}

/**
 * Starts a server that answers `reply` as JSON, with `status` if that is given, or hands requests on to the server at
 * `forwardTo`. With `isHttp2` it chooses HTTP/2 where that is offered.
 */
export async function startTlsServer(
  { certificate, key }: MadeCertificate,
  reply: unknown,
  { status = 200, isHttp2 = false, forwardTo, ...options }: TlsServerOptions = {},
): Promise<TlsServer> {
  let [received, resumed] = [0, 0];
  const sockets = new Set<Socket>();
  const settings = { cert: certificate, key, rejectUnauthorized: true, ...options };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (forwardTo !== undefined) {
      forward(new URL(request.url ?? '', forwardTo), request, response);
      return;
    }
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  };
  const overHttp2 = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  };
  const server = isHttp2
    ? createSecureServer({ ...settings, allowHTTP1: true }, overHttp2)
    : createServer(settings, answer);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.isSessionReused()) resumed += 1;
    socket.on('error', () => undefined);
    // The bytes of HTTP/2 do not pass by here.
    if (isHttp2) return;
    socket.prependListener('data', (chunk: Buffer) => (received += chunk.byteLength));
  });
  server.on('stream', () => (received += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    receivedBytes: () => received,
    resumed: () => resumed,
    swap(next) {
      server.setSecureContext({ cert: next.certificate, key: next.key });
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function forward(url: URL, request: IncomingMessage, response: ServerResponse): void {
  const { 'content-type': type = 'application/json' } = request.headers;
  const onward = send(url, { method: request.method, headers: { 'content-type': type } }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}
