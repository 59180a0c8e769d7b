import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../databases/serverProcess.ts';
import { type Authority, type CertificateWish, makeAuthority } from '../tls.ts';

/** Certificate files for a server that others may reach, and the arguments that make it listen with them. */
export interface TlsDoor {
  authority: Authority;
  certificateFile: string;
  keyFile: string;
  port: number;
  args: string[];
  /** Replaces both files by a new certificate. */
  renew(wish?: CertificateWish): Promise<void>;
  remove(): Promise<void>;
}

/** Prepares a server on https://127.0.0.1, with a certificate of an authority of its own. */
export async function makeTlsDoor(wish?: CertificateWish): Promise<TlsDoor> {
  const folder = await mkdtemp(path.join(tmpdir(), 'analytics-door-'));
  const authority = await makeAuthority();
  const [certificateFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const renew = async (next?: CertificateWish) => {
    const { certificate, key } = await authority.make(next);
    await Promise.all([writeFile(certificateFile, certificate), writeFile(keyFile, key)]);
  };
  await renew(wish);
  const port = await freePort();
  return {
    ...{ authority, certificateFile, keyFile, port, renew },
    args: [
      ...['--listen', '127.0.0.1', '--port', String(port), '--public-url', `https://127.0.0.1:${port}`],
      ...['--tls-cert', certificateFile, '--tls-key', keyFile],
    ],
    remove: async () => {
      await authority.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
