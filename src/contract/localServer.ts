/*
 * What the local server and the extension that starts it share in addition to the API: how the server proves that it is
 * the process that received the key, before a client sends it a password or a token.
 */

/** Path below the server's root that answers a challenge, with `?nonce=` and 64 hexadecimal digits. */
export const proofPath = '/local-server-proof';

/** A challenge: 256 random bits. */
export const proofNonce = /^[\da-f]{64}$/;

/** Purpose for which HKDF derives the key of proofs from the server's key; used for nothing else. */
export const proofKeyPurpose = 'analytics-studio local server proof key 1';

/** The data that a proof confirms about the server. */
export interface ProofSubject {
  /** The challenge that the proof answers. */
  nonce: string;
  /** Port that the server listens on: a process that forwards a challenge to the server listens on another one. */
  port: number;
  pid: number;
  installationId: string;
}

/** The text that a proof signs: the proof is its HMAC with the key of proofs. */
export function proofText({ nonce, port, pid, installationId }: ProofSubject): string {
  return ['analytics-studio local server proof 1', nonce, port, pid, installationId].join('\n');
}

/**
 * Number of what windows and the server agree on beyond the API: a window uses a running server of another release only
 * if the number is the same. Increase it with each change that an earlier release does not understand.
 */
export const localServerContract = 1;

/** Exit code of a server whose data folder another process uses. */
export const folderInUseExitCode = 4;

/** Accounts of a local server with the sample, which get the same password when the sample is created. */
export const sampleAccounts: readonly string[] = [
  'admin',
  ...['sample.admin', 'sample.builder', 'sample.agent', 'sample.architect'],
  ...['north.viewer', 'north.modifier', 'north.deleter', 'north.none'],
  ...['south.viewer', 'south.modifier', 'west.viewer', 'coast.viewer'],
];
