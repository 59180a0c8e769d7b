import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { PublicListening, CertificateFiles } from './listening.ts';

/** A certificate with its key, PEM, as Node takes them. */
export interface Certificate {
  cert: string;
  key: string;
}

/**
 * Reads and checks the server's certificate.
 * @throws Error with the file and the reason when clients could not use it.
 */
export function readCertificate(files: CertificateFiles, listening: PublicListening, now: Date): Certificate {
  const cert = readText(files.certificate);
  const key = readText(files.key);
  const leaf = parsed(files.certificate, 'a certificate', () => new X509Certificate(cert));
  const privateKey = parsed(files.key, 'an unencrypted key', () => createPrivateKey(key));
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new Error(`The key in ${files.key} does not belong to the certificate in ${files.certificate}.`);
  }
  if (new Date(leaf.validTo) < now) {
    throw new Error(`The certificate in ${files.certificate} expired on ${leaf.validTo}. Renew it.`);
  }
  if (new Date(leaf.validFrom) > now) {
    throw new Error(`The certificate in ${files.certificate} is not valid before ${leaf.validFrom}. Check the clock.`);
  }
  // A proxy may connect by another name than its clients.
  if (listening.proxy === undefined) requireName(leaf, files, listening.publicUrl);
  parsed(files.certificate, 'a chain of certificates', () => createSecureContext({ cert, key }));
  return { cert, key };
}

function requireName(leaf: X509Certificate, files: CertificateFiles, { hostname }: URL): void {
  const address = /^\[(.*)\]$/.exec(hostname)?.[1] ?? hostname;
  const isFor = isIP(address) === 0 ? leaf.checkHost(hostname) : leaf.checkIP(address);
  if (isFor !== undefined) return;
  throw new Error(
    `The certificate in ${files.certificate} is not for ${hostname}, the host of --public-url, but for ` +
      `${leaf.subjectAltName ?? leaf.subject}.`,
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${file} cannot be read (${reason}).`, { cause });
  }
}

/** The cause is left out: errors of the TLS library may quote the key. */
function parsed<T>(file: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new Error(`${file} does not contain ${what} in PEM form.`);
  }
}
