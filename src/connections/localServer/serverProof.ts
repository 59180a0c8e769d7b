import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { proofKeyPurpose, proofPath, proofText } from '../../contract/localServer.ts';
import * as l10n from '../../l10n/l10n.ts';
import type { RunningServer } from './localServerHome.ts';

/** The only address that the local server listens on. */
export const localServerHost = '127.0.0.1';
const proveWithinMs = 5_000;
const longestReply = 4_096;

/** The key of proofs, derived from the server's key in the same way as in the server. */
export function proofKeyOf(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', proofKeyPurpose, 32));
}

/** The process that answered is not the server. */
class NotProven extends Error {}

/**
 * Makes the process at the other end of `socket` prove that it is `server`, with the key that only the two know.
 * Afterwards the connection is ready for one request.
 * @throws {Error} after closing the connection, when the proof is wrong or late.
 */
export async function demandProof(
  socket: Socket,
  { pid, installationId }: Pick<RunningServer, 'pid' | 'installationId'>,
  key: Uint8Array,
): Promise<void> {
  try {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress !== localServerHost || remotePort === undefined) throw new NotProven('It is on another host');
    const nonce = randomBytes(32).toString('hex');
    const host = `${remoteAddress}:${remotePort}`;
    socket.write(`GET ${proofPath}?nonce=${nonce} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const given = Buffer.from(await readText(socket), 'hex');
    const text = proofText({ nonce, port: remotePort, pid, installationId });
    const wanted = createHmac('sha256', key).update(text).digest();
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new NotProven('The proof is wrong');
  } catch (cause) {
    socket.destroy();
    if (!(cause instanceof NotProven)) throw cause;
    throw new Error(l10n.t('another process answers at its address and does not prove to be the local server'), {
      cause,
    });
  }
}

/** Whether `server` answers at its address and proves its identity. Sends only the challenge. */
export async function isVerified(server: RunningServer, key: Uint8Array, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ host: localServerHost, port: Number(new URL(server.url).port), signal });
  // Errors after the answer do not matter.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect');
    await demandProof(socket, server, key);
    return true;
  } catch {
    // For any failure, the server counts as not verified.
    return false;
  } finally {
    socket.destroy();
  }
}

/** The body of the short reply to a challenge. @throws {Error} for any other reply. */
function readText(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const end = (finish: () => void) => {
      clearTimeout(timer);
      socket.off('readable', read).off('close', gone).off('error', gone);
      finish();
    };
    const gone = (error?: unknown) =>
      end(() => reject(error instanceof Error ? error : failure('The connection was closed', 'ECONNRESET')));
    const read = () => {
      for (let piece: unknown = socket.read(); piece !== null; piece = socket.read()) {
        received += Buffer.isBuffer(piece) ? piece.toString('latin1') : '';
      }
      try {
        const body = bodyOf(received);
        if (body !== undefined) end(() => resolve(body));
      } catch (error) {
        gone(error);
      }
    };
    const timer = setTimeout(() => gone(failure('No answer in time', 'ETIMEDOUT')), proveWithinMs);
    socket.on('readable', read).on('close', gone).on('error', gone);
  });
}

function failure(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

/**
 * The body of `reply`, undefined until it is complete. @throws {NotProven} when it is not a short reply with status
 * 200.
 */
function bodyOf(reply: string): string | undefined {
  if (reply.length > longestReply) throw new NotProven('The reply is too long');
  const end = reply.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = reply.slice(0, end);
  const length = /\r\ncontent-length: (\d{1,4})(?:\r\n|$)/i.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) throw new NotProven('The reply is no proof');
  const body = reply.slice(end + 4);
  if (body.length > Number(length)) throw new NotProven('More than the proof arrived');
  return body.length === Number(length) ? body : undefined;
}
