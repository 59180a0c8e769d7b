import type { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { isIP } from 'node:net';
import { Client } from 'undici';
import { ClientError } from '../clientError.ts';
import { isChecked, proxyToken } from './dispatcher.ts';
import { networkError } from './networkError.ts';
import type { ProxyTarget, TlsTarget } from './target.ts';
import { tlsProblem } from './tlsProblem.ts';
import { trustOf } from './trust.ts';
import { waitFor } from './waitFor.ts';
import * as l10n from '../../l10n/l10n.ts';

/** A server's certificate, for the user to check before pinning it. */
export interface CertificateFacts {
  /** Subject, one attribute per line. */
  subject: string;
  issuer: string;
  /** Host names and addresses that the certificate is valid for. */
  names: string[];
  validFrom: Date;
  validTo: Date;
  /** SHA-256, upper-case pairs joined by colons. */
  fingerprint: string;
  /** Why the certificate is not trusted; undefined if it is. */
  problem: string | undefined;
}

const deadlineMs = 15_000;

/**
 * Fetches the certificate of the https server at `address` without sending a request, and validates it as a connection
 * would. Nothing is trusted or stored.
 * @throws {ClientError} when no TLS connection is made.
 */
export async function inspectCertificate(
  address: string,
  options: { signal?: AbortSignal; tls?: TlsTarget; proxy?: ProxyTarget | 'none' } = {},
): Promise<CertificateFacts> {
  const url = new URL(address);
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const proxy = options.proxy === 'none' ? undefined : options.proxy;
  // A proxy reached by https is trusted as for calls.
  const connect = proxy?.url.startsWith('https:') && {
    secureContext: trustOf({ name: url.host, tls: { extraCa: options.tls?.extraCa } }),
    ...isChecked,
  };
  const tunnel = proxy && new Client(proxy.url, connect ? { connect } : {});
  try {
    const through = tunnel && (await openTunnel(tunnel, url, proxy, signal));
    return await handshake(url, options.tls, through, signal);
  } catch (cause) {
    if (cause instanceof ClientError) throw cause;
    throw networkError(cause, { signal, deadlineMs, proxy: proxy?.url }, { server: url.host, isUnsent: true });
  } finally {
    await tunnel?.destroy();
  }
}

async function openTunnel(tunnel: Client, url: URL, proxy: ProxyTarget, signal: AbortSignal): Promise<Duplex> {
  const token = proxyToken(proxy);
  const asked = tunnel.connect({
    path: `${url.hostname}:${url.port || '443'}`,
    headers: { host: url.host, ...(token && { 'proxy-authorization': token }) },
    signal,
  });
  // undici ignores the signal until the proxy is connected.
  const { statusCode, socket } = await waitFor(asked, { signal, deadlineMs }, { server: url.host, isUnsent: true });
  if (statusCode === 200) return socket;
  socket.on('error', () => undefined).destroy();
  throw new Error(`Proxy response (${statusCode})`);
}

function handshake(url: URL, tls: TlsTarget | undefined, through: Duplex | undefined, signal: AbortSignal) {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise<CertificateFacts>((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(url.port || 443),
      servername: isIP(host) ? '' : host,
      secureContext: trustOf({ name: url.host, tls }),
      // The purpose is to show untrusted certificates; no request is sent.
      rejectUnauthorized: false,
      ...(through && { socket: through }),
    });
    const stop = () => socket.destroy(new Error('aborted'));
    signal.addEventListener('abort', stop, { once: true });
    socket
      .once('error', reject)
      .once('close', () => {
        signal.removeEventListener('abort', stop);
        reject(new Error(l10n.t('the connection closed before a certificate arrived')));
      })
      .once('secureConnect', () => {
        const certificate = socket.getPeerX509Certificate();
        if (certificate) resolve(factsOf(certificate, problemOf(socket)));
        socket.destroy();
      });
    if (signal.aborted) stop();
  });
}

function factsOf(certificate: X509Certificate, problem: string | undefined): CertificateFacts {
  return {
    subject: certificate.subject,
    issuer: certificate.issuer,
    names: namesOf(certificate),
    validFrom: new Date(certificate.validFrom),
    validTo: new Date(certificate.validTo),
    fingerprint: certificate.fingerprint256,
    problem,
  };
}

function namesOf({ subjectAltName }: X509Certificate): string[] {
  return (subjectAltName ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''))
    .filter((name) => name !== '');
}

/** The error that Node reports: a code as text for the chain or dates, an error object for the names. */
function problemOf({ authorizationError }: TLSSocket): string | undefined {
  const found: unknown = authorizationError;
  if (found === null || found === undefined) return undefined;
  const code = found instanceof Error && 'code' in found ? found.code : found;
  if (typeof code !== 'string') return l10n.t('its certificate cannot be checked');
  return tlsProblem(code)?.words ?? code;
}
