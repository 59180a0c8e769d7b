import { X509Certificate } from 'node:crypto';
import { TLSSocket, createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import { ClientError } from '../clientError.ts';
import type { ServerTarget } from './target.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Code of {@link CertificateChanged}, in addition to Node's codes. */
export const certificateChangedCode = 'CERT_PIN_CHANGED';

/** The server presented another certificate than the pinned one. */
export class CertificateChanged extends Error {
  readonly code = certificateChangedCode;
  /** SHA-256 of the presented certificate. */
  readonly presented: string;

  constructor(presented: string, pinned: string) {
    super(`the certificate shown has the fingerprint ${presented}, not ${pinned}`);
    this.presented = presented;
  }
}

/**
 * Trusted certificates for connections to `target`: Node's, the system's and the target's.
 * @throws {ClientError} of kind tls when a file of the target cannot be used.
 */
export function trustOf(target: Pick<ServerTarget, 'name' | 'tls'>): SecureContext {
  const { extraCa, clientCertificate } = target.tls ?? {};
  try {
    // OpenSSL skips what it cannot parse: a file without a certificate must not pass as one.
    if (extraCa !== undefined) new X509Certificate(extraCa);
    return createSecureContext({
      ca: [
        ...getCACertificates('default'),
        ...getCACertificates('system'),
        ...(extraCa === undefined ? [] : [extraCa]),
      ],
      ...(clientCertificate && {
        cert: clientCertificate.certificate,
        key: clientCertificate.key,
        passphrase: clientCertificate.passphrase,
      }),
    });
  } catch (cause) {
    throw new ClientError(
      'tls',
      l10n.t('The client certificate or key configured for {0} cannot be read.', target.name),
      {
        server: target.name,
        reason: 'badCertificateFile',
        remedy: l10n.t('Provide certificates and keys as PEM files, and the passphrase of the key.'),
        isUnsent: true,
        cause,
      },
    );
  }
}

/** A fingerprint in Node's format: upper-case pairs joined by colons. */
export function normalFingerprint(text: string): string {
  const digits = text.replace(/[^\da-f]/gi, '').toUpperCase();
  return digits.match(/../g)?.join(':') ?? '';
}

/**
 * Wraps a connector to return an encrypted connection only if the server presented the certificate with SHA-256
 * `fingerprint`; otherwise closes it before any part of a request is written.
 */
export function pinned(connector: buildConnector.connector, fingerprint: string): buildConnector.connector {
  const expected = normalFingerprint(fingerprint);
  return (options, callback) =>
    connector(options, (...[error, socket]) => {
      if (error) {
        callback(error, null);
        return;
      }
      const presented = socket instanceof TLSSocket ? (socket.getPeerX509Certificate()?.fingerprint256 ?? '') : '';
      if (presented === expected) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      callback(new CertificateChanged(presented || 'none', expected), null);
    });
}
