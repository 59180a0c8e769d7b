import { describe, expect, it } from 'vitest';
import { parseListening, type ListeningValues } from '../../../../src/server/http/listening.ts';

const tls = { 'tls-cert': '/tls/cert.pem', 'tls-key': '/tls/key.pem' };
const full: ListeningValues = {
  listen: '0.0.0.0',
  port: '8443',
  'public-url': 'https://analytics.example.com',
  ...tls,
};

describe('parseListening', () => {
  it('is loopback only without options', () => {
    expect(parseListening({})).toBeUndefined();
    expect(parseListening({ port: '8443' })).toBeUndefined();
  });

  it('reads a certificate, a proxy or both', () => {
    const publicUrl = new URL('https://analytics.example.com');
    const certificate = { certificate: '/tls/cert.pem', key: '/tls/key.pem' };
    expect(parseListening(full)).toEqual({ address: '0.0.0.0', publicUrl, certificate, proxy: undefined });
    const proxied = { ...full, 'tls-cert': undefined, 'tls-key': undefined, 'behind-proxy': '10.0.0.2' };
    expect(parseListening(proxied)).toEqual({
      address: '0.0.0.0',
      publicUrl,
      certificate: undefined,
      proxy: '10.0.0.2',
    });
    expect(parseListening({ ...full, listen: '::1', 'behind-proxy': 'fd00::2' })).toMatchObject({
      address: '::1',
      certificate,
      proxy: 'fd00::2',
    });
  });

  it.each<[string, ListeningValues, string]>([
    ['no encryption', { ...full, 'tls-cert': undefined, 'tls-key': undefined }, 'Add --tls-cert and --tls-key, or'],
    [
      'no encryption on loopback',
      { listen: '127.0.0.1', port: '1' },
      'Without --listen, the server listens on loopback',
    ],
    ['a key alone', { ...full, 'tls-cert': undefined }, 'add --tls-cert FILE'],
    ['a certificate alone', { ...full, 'tls-key': undefined }, 'add --tls-key FILE'],
    [
      'a key alone behind a proxy',
      { ...full, 'tls-cert': undefined, 'behind-proxy': '10.0.0.2' },
      'add --tls-cert FILE',
    ],
    ['no port', { ...full, port: undefined }, 'add --port'],
    ['a name to listen on', { ...full, listen: 'localhost' }, 'such as 0.0.0.0 for all, not localhost'],
    ['a port with the address', { ...full, listen: '0.0.0.0:8443' }, 'such as 0.0.0.0 for all, not 0.0.0.0:8443'],
    ['a name of the proxy', { ...full, 'behind-proxy': 'proxy' }, 'from which the proxy connects, not proxy'],
    ['every proxy', { ...full, 'behind-proxy': '*' }, 'from which the proxy connects, not *'],
    ['no public URL', { ...full, 'public-url': undefined }, '--listen needs --public-url'],
    ['a public host without scheme', { ...full, 'public-url': 'analytics' }, 'Specify the origin that clients use'],
    ['a public URL without encryption', { ...full, 'public-url': 'http://a.example' }, 'must begin with https://'],
    ['a public URL with a path', { ...full, 'public-url': 'https://a.example/x' }, 'has a path, which --prefix sets'],
    ['a public URL with a query', { ...full, 'public-url': 'https://a.example/?x' }, 'Specify the origin'],
    ['a public URL with an account', { ...full, 'public-url': 'https://u:secret@a.example' }, 'has an account'],
    ['a certificate on loopback', { ...tls }, 'Add --listen ADDRESS, or omit --tls-cert'],
    ['a proxy on loopback', { 'behind-proxy': '10.0.0.2' }, 'Add --listen ADDRESS, or omit --behind-proxy'],
    ['a public URL on loopback', { 'public-url': 'https://a.example' }, 'Add --listen ADDRESS, or omit --public-url'],
  ])('refuses %s, with the next step', (_name, values, message) => {
    expect(() => parseListening(values)).toThrow(message);
    expect(() => parseListening(values)).not.toThrow('secret');
  });
});
