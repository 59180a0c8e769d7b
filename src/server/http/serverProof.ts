import { createHmac, hkdfSync } from 'node:crypto';
import { proofKeyPurpose, proofNonce, proofText } from '../../contract/localServer.ts';

/** Answers a challenge for the server that listens on `port`; undefined for one that is malformed. */
export type Prove = (nonce: string, port: number) => string | undefined;

/**
 * Proves to the process that gave this server its key that it is this server. The key of proofs is derived from `key`, so
 * that no answer tells anything of what encrypts stored passwords.
 */
export function createProof(key: Uint8Array, installationId: string): Prove {
  const proofKey = Buffer.from(hkdfSync('sha256', key, '', proofKeyPurpose, 32));
  return (nonce, port) => {
    if (!proofNonce.test(nonce)) return undefined;
    const text = proofText({ nonce, port, pid: process.pid, installationId });
    return createHmac('sha256', proofKey).update(text).digest('hex');
  };
}
