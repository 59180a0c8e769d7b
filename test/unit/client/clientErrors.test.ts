import { afterAll, afterEach, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../src/client/client.ts';
import {
  isClientError,
  shownMessage,
  type ClientError,
  type ClientErrorKind,
} from '../../../src/client/clientError.ts';
import { ConnectingFailed, networkError } from '../../../src/client/http/networkError.ts';
import type { StoredSession } from '../../../src/client/session/sessionState.ts';
import { figure } from '../../support/run/figure.ts';
import { handled, startScriptedServer, type Script } from '../../support/scriptedServer.ts';

/*
 * What the user reads when a call fails: the server, the cause in words, and what can be done. The failures of the
 * network layer are made here; test/contract/clientTls.test.ts has those of real certificates and proxies.
 */

const cleanups: (() => Promise<void>)[] = [];
let named = 0;

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(() => figure('R2', `${named} kinds of failure, each with its server, cause and remedy`));

function holds(error: ClientError, kind: ClientErrorKind, cause: RegExp, remedy: RegExp): void {
  expect(error).toMatchObject({ kind, server: 'Reports' });
  expect(shownMessage(error)).toMatch(cause);
  expect(error.remedy).toMatch(remedy);
  named += 1;
}

it.each<[code: string, kind: ClientErrorKind, cause: RegExp, remedy: RegExp, isUnsent: boolean]>([
  ['ENOTFOUND', 'unreachable', /Reports cannot be reached: the host name is unknown/, /address is correct/, true],
  ['EAI_AGAIN', 'unreachable', /host name could not be resolved/, /address is correct/, true],
  ['ECONNREFUSED', 'unreachable', /no server is listening at this address/, /server is running/, true],
  ['ECONNRESET', 'unreachable', /the connection was lost/, /server is running/, false],
  ['UND_ERR_CONNECT_TIMEOUT', 'unreachable', /connecting took too long/, /server is running/, true],
  ['EHOSTUNREACH', 'unreachable', /no route to the host/, /server is running/, false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', /self-signed/, /fingerprint.*extra CA/, true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', /authority that this computer does not trust/, /extra CA/, true],
  ['CERT_HAS_EXPIRED', 'tls', /has expired/, /renew/, true],
  ['CERT_NOT_YET_VALID', 'tls', /not valid yet/, /clock/, true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', /another host name/, /host name from the certificate/, true],
  ['CERT_PIN_CHANGED', 'tls', /not the one that you pinned/, /Nothing was sent/, true],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls', /requires a client certificate/, /Set a client cert/, true],
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'tls', /rejects the one it received/, /Set a client cert/, true],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED', 'tls', /rejects the one it received/, /Set a client cert/, true],
  // Encryption that breaks once the request is out: it may have been done.
  ['EPROTO', 'unreachable', /the connection was lost/, /server is running/, false],
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'unreachable', /cannot be reached/, /server is running/, false],
  ['Z_DATA_ERROR', 'malformed', /compressed reply of Reports is damaged/, /Try again/, false],
])('%s', (code, kind, cause, remedy, isUnsent) => {
  const { signal } = new AbortController();
  const error = networkError(failing(code), { signal, deadlineMs: 1000 }, { server: 'Reports', endpoint: 'x' });
  holds(error, kind, cause, remedy);
  expect(error.isUnsent).toBe(isUnsent);
});

it.each<[code: string, kind: ClientErrorKind, cause: RegExp]>([
  ['EPROTO', 'tls', /no encryption could be negotiated/],
  ['EHOSTUNREACH', 'unreachable', /no route to the host/],
  ['ECONNRESET', 'unreachable', /the connection was lost/],
])('%s while connecting: nothing was sent', (code, kind, cause) => {
  const call = { signal: new AbortController().signal, deadlineMs: 1000 };
  const error = networkError(new ConnectingFailed(failing(code)), call, { server: 'Reports', endpoint: 'x' });
  holds(error, kind, cause, /server/);
  expect(error.isUnsent).toBe(true);
});

it.each<[message: string, code: string, reason: string, cause: RegExp, remedy: RegExp]>([
  [
    'connect',
    'ECONNREFUSED',
    'proxyUnreachable',
    /proxy p:3128 cannot be reached: no server is listening/,
    /Check the proxy/,
  ],
  [
    'Proxy response (403) !== 200',
    '',
    'proxyRefused',
    /p:3128 refuses to connect to Reports \(403\)/,
    /exclude the server/,
  ],
  ['Proxy response (407) !== 200', '', 'proxySignIn', /p:3128 requires a user name/, /Set the user name/],
])('a proxy: %s', (message, code, reason, cause, remedy) => {
  const call = { signal: new AbortController().signal, deadlineMs: 1000, proxy: 'p:3128' };
  const error = networkError(failing(code, message), call, { server: 'Reports', endpoint: 'x' });
  holds(error, 'proxy', cause, remedy);
  expect(error).toMatchObject({ reason, isUnsent: true });
});

const json = { 'content-type': 'application/json' };

it.each<[what: string, script: Script, kind: ClientErrorKind, cause: RegExp, remedy: RegExp]>([
  [
    '404',
    (_request, response) => end(response.writeHead(404)),
    'notFound',
    /address or prefix may be wrong/,
    /\/api or \/serv/,
  ],
  [
    'a web page',
    (_request, response) => end(response.writeHead(200, { 'content-type': 'text/html' }), '<!doctype html>'),
    'notTheApi',
    /with a web page/,
    /sign-in page/,
  ],
  ['a redirect', (_request, response) => end(response.writeHead(302)), 'notTheApi', /redirect \(302\)/, /address/],
  [
    'truncated JSON',
    (_request, response) => end(response.writeHead(200, json), '[{"a'),
    'malformed',
    /invalid JSON\. Received: \[\{"a/,
    /Try again/,
  ],
  ['oversized', () => ['x'.repeat(20_000)], 'tooLarge', /exceeds 10000 bytes/, /Reduce the result/],
  [
    'a bare 500',
    (_request, response) => end(response.writeHead(500)),
    'refused',
    /Reports failed.*\(500\)/,
    /Fix the problem/,
  ],
  ['a refusal', () => ({ ErrorCode: 9001, ErrorMessage: 'locked' }), 'refused', /\(9001\): locked/, /Fix the problem/],
  ['no answer in time', () => handled, 'timeout', /did not finish its reply within 0\.3 s/, /Try again/],
])('%s', async (_what, script, kind, cause, remedy) => {
  const client = await connect(script);
  const call = client.call(
    'Contact/GetRolesList',
    {},
    { deadlineMs: kind === 'timeout' ? 300 : 10_000, maxBytes: 10_000 },
  );
  const error = await failure(call);
  holds(error, kind, cause, remedy);
  // Its way out is for this account, whatever others are called.
  expect(error.connectionId).toBe('c');
});

it('cancelled: says so, and asks nothing of whoever cancelled', async () => {
  const controller = new AbortController();
  const client = await connect(() => {
    controller.abort();
    return handled;
  });
  const call = client.call('Contact/GetRolesList', {}, { signal: controller.signal });
  expect(await failure(call)).toMatchObject({
    kind: 'cancelled',
    message: 'Cancelled: Contact/GetRolesList.',
    remedy: '',
  });
});

/** An error as undici gives it: the code sits in the cause. */
function failing(code: string, message = code): Error {
  return new TypeError(message, { cause: code === '' ? undefined : Object.assign(new Error(message), { code }) });
}

function end(response: { end(text?: string): unknown }, text = ''): typeof handled {
  response.end(text);
  return handled;
}

async function connect(script: Script): Promise<AnalyticsClient> {
  const server = await startScriptedServer(script);
  cleanups.push(() => server.close());
  const session: StoredSession = {
    token: 'token',
    timeoutMs: 1_200_000,
    expiresAt: new Date(Date.now() + 1_200_000).toISOString(),
    account: { userId: '7', loginName: 'ada', fullName: '', isAdmin: false, isGuest: false, productVersion: '' },
  };
  const client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Reports', apiBase: `${server.url}/api` },
    vault: { read: async () => session, write: async () => undefined, withLock: (work) => work() },
    credentials: async () => undefined,
  });
  cleanups.push(() => client.close());
  return client;
}

async function failure(call: Promise<unknown>): Promise<ClientError> {
  const error = await call.then(
    () => expect.fail('the call succeeded'),
    (reason: unknown) => reason,
  );
  return isClientError(error) ? error : expect.fail(`no client error: ${String(error)}`);
}
