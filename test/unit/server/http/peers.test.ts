import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { PublicListening } from '../../../../src/server/http/listening.ts';
import { findPeer } from '../../../../src/server/http/peers.ts';

const direct: PublicListening = {
  address: '::',
  publicUrl: new URL('https://analytics.example.com'),
  certificate: { certificate: 'cert.pem', key: 'key.pem' },
  proxy: undefined,
};
const proxied: PublicListening = { ...direct, certificate: undefined, proxy: '10.0.0.2' };

function peer(listening: PublicListening | undefined, remoteAddress: string, headers: Record<string, string> = {}) {
  return findPeer({ socket: { remoteAddress }, headers } as IncomingMessage, listening);
}

function client(forwarded: string, more: Record<string, string> = {}) {
  return peer(proxied, '10.0.0.2', { 'x-forwarded-proto': 'https', 'x-forwarded-for': forwarded, ...more });
}

describe('findPeer', () => {
  it('finds one source for all of loopback', () => {
    expect(peer(undefined, '127.0.0.1', { 'x-forwarded-for': '192.0.2.9' })).toEqual({ source: undefined });
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('takes %s for a client of %s, whatever the headers say', (address, source) => {
    expect(peer(direct, address, { 'x-forwarded-for': '198.51.100.7' })).toEqual({ source });
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['198.51.100.7, 192.0.2.1', '192.0.2.1'],
    ['10.0.0.2, 127.0.0.1,192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1:51234', '192.0.2.1'],
    ['[2001:db8:1:2::9]:51234', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ])('believes the last entry of the proxy: %s', (forwarded, source) => {
    expect(client(forwarded)).toEqual({ source });
  });

  it('knows the proxy by its address in either family', () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };
    expect(peer(proxied, '::ffff:10.0.0.2', headers)).toEqual({ source: '192.0.2.1' });
    expect(peer({ ...proxied, proxy: 'FD00:0::2' }, 'fd00::2', headers)).toEqual({ source: '192.0.2.1' });
  });

  it.each(['10.0.0.3', '127.0.0.1', '::1', ''])('refuses %s, which is not the proxy', (address) => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.0.0.2' };
    const refusal = 'This server answers to its proxy only. Use https://analytics.example.com.';
    expect(peer(proxied, address, headers)).toEqual({ refusal });
  });

  it.each(['http', 'https, http', '', 'httpsx'])('refuses what the proxy received by %s', (proto) => {
    expect(client('192.0.2.1', { 'x-forwarded-proto': proto })).toHaveProperty('refusal');
  });

  it.each(['', 'unknown', '192.0.2.1, ', 'evil.example', '192.0.2.300', '1:2:3'])(
    'refuses a client that the proxy names "%s"',
    (forwarded) => {
      expect(client(forwarded)).toEqual({
        refusal: 'The proxy does not name its client: configure it to add X-Forwarded-For.',
      });
    },
  );
});
