import { X509Certificate } from 'node:crypto';
import { TLSSocket, createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import { ClientError } from '../clientError.ts';
import type { ServerTarget } from './target.ts';
import { say } from '../../l10n/l10n.ts';

/** Code of {@link CertificateChanged}, beside those that Node gives. */
export const certificateChangedCode = 'CERT_PIN_CHANGED';

/** The server showed another certificate than the pinned one. */
export class CertificateChanged extends Error {
  readonly code = certificateChangedCode;
  /** SHA-256 of what the server showed. */
  readonly presented: string;

  constructor(presented: string, pinned: string) {
    super(`the certificate shown has the fingerprint ${presented}, not ${pinned}`);
    this.presented = presented;
  }
}

/**
 * Certificates that a connection to `target` is checked against: those of Node, of the system and of the target.
 * @throws {ClientError} of kind tls when a file of the target cannot be used.
 */
export function trustOf(target: Pick<ServerTarget, 'name' | 'tls'>): SecureContext {
  const { extraCa, clientCertificate } = target.tls ?? {};
  try {
    // OpenSSL skips what it cannot read: a file without a certificate must not pass for one.
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
    throw new ClientError('tls', say('A certificate or key set for {0} cannot be read.', target.name), {
      server: target.name,
      reason: 'badCertificateFile',
      remedy: say('Give certificates and keys as PEM files, and the passphrase of the key.'),
      isUnsent: true,
      cause,
    });
  }
}

/** A fingerprint as Node writes it: upper-case pairs joined by colons. */
export function normalFingerprint(text: string): string {
  const digits = text.replace(/[^\da-f]/gi, '').toUpperCase();
  return digits.match(/../g)?.join(':') ?? '';
}

/**
 * Makes a connector hand over an encrypted connection only when the server showed the certificate with SHA-256
 * `fingerprint`; otherwise the connection ends before a byte of a request is written to it.
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
