/*
 * What the local server and the extension that starts it agree on beside the API: how the server proves that it is the
 * process which was given the key, before anybody sends it a password or a token.
 */

/** Path below the server's root that answers a challenge: `?nonce=` with 64 hexadecimal digits. */
export const proofPath = '/local-server-proof';

/** A challenge: 256 random bits. */
export const proofNonce = /^[\da-f]{64}$/;

/** Purpose for which HKDF derives the key of proofs from the server's key; nothing else is derived for it. */
export const proofKeyPurpose = 'analytics-studio local server proof key 1';

/** What a proof says of the server that gives it. */
export interface ProofSubject {
  /** The challenge that it answers. */
  nonce: string;
  /** Port that the server listens on: a process that passes a challenge on to the server listens on another. */
  port: number;
  pid: number;
  installationId: string;
}

/** The text whose HMAC with the key of proofs is the proof. */
export function proofText({ nonce, port, pid, installationId }: ProofSubject): string {
  return ['analytics-studio local server proof 1', nonce, port, pid, installationId].join('\n');
}

/** With this code a server exits whose data folder another process has. */
export const folderInUseExitCode = 4;
