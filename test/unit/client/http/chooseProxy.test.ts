import { describe, expect, it } from 'vitest';
import { chooseProxy, isExcepted } from '../../../../src/client/http/chooseProxy.ts';
import { proxyToken } from '../../../../src/client/http/dispatcher.ts';

const server = 'https://reports.example.com/api';

describe('chooseProxy', () => {
  it('takes the setting before the environment, and credentials out of the address', () => {
    const environment = { HTTPS_PROXY: 'http://env:1' };
    expect(chooseProxy(server, { proxy: 'http://ada:p%40ss%@proxy:3128/' }, environment)).toEqual({
      url: 'http://proxy:3128',
      credentials: { userName: 'ada', password: 'p%40ss%' },
    });
    expect(chooseProxy(server, { proxy: 'http://:token@proxy:3128/' }, environment)).toEqual({
      url: 'http://proxy:3128',
      credentials: { userName: '', password: 'token' },
    });
    expect(chooseProxy(server, { proxy: 'http://ada:p%40ss@proxy:3128/' }, environment)).toEqual({
      url: 'http://proxy:3128',
      credentials: { userName: 'ada', password: 'p@ss' },
    });
    expect(chooseProxy(server, {}, environment)).toEqual({ url: 'http://env:1' });
    expect(chooseProxy(server, { proxy: 'proxy.corp:8080' }, {})).toEqual({ url: 'http://proxy.corp:8080' });
  });

  it('reads the variable of the scheme', () => {
    expect(chooseProxy('http://a.example', {}, { HTTPS_PROXY: 'http://tls:1' })).toBe('none');
    expect(chooseProxy('http://a.example', {}, { http_proxy: 'http://plain:1' })).toEqual({ url: 'http://plain:1' });
    expect(chooseProxy(server, {}, { HTTP_PROXY: 'http://plain:1' })).toEqual({ url: 'http://plain:1' });
    expect(chooseProxy(server, {}, { all_proxy: 'http://all:1' })).toEqual({ url: 'http://all:1' });
  });

  it('reaches this machine directly, and everything when proxies are off', () => {
    const settings = { proxy: 'http://proxy:1' };
    for (const address of ['http://localhost:8080', 'http://127.0.0.1/api', 'http://[::1]:9/api']) {
      expect(chooseProxy(address, settings, {})).toBe('none');
    }
    expect(chooseProxy(server, { ...settings, proxySupport: 'off' }, {})).toBe('none');
    for (const proxySupport of ['on', 'fallback', 'override']) {
      expect(chooseProxy(server, { ...settings, proxySupport }, {})).toEqual({ url: 'http://proxy:1' });
    }
  });

  it('honours exceptions of the settings, else of the environment', () => {
    const environment = { HTTPS_PROXY: 'http://env:1', NO_PROXY: 'a.test, example.com' };
    expect(chooseProxy(server, {}, environment)).toBe('none');
    expect(chooseProxy(server, { noProxy: ['b.test'] }, environment)).toEqual({ url: 'http://env:1' });
  });

  it('takes the header that the settings name along to the proxy, which credentials of an account come before', () => {
    const settings = { proxy: 'http://proxy:1', proxyAuthorization: ' Bearer abc ' };
    expect(chooseProxy(server, settings, {})).toEqual({ url: 'http://proxy:1', authorization: 'Bearer abc' });
    expect(proxyToken({ url: 'http://proxy:1', authorization: 'Bearer abc' })).toBe('Bearer abc');
    const credentials = { userName: 'ada', password: 'secret' };
    expect(proxyToken({ url: 'http://proxy:1', authorization: 'Bearer abc', credentials })).toMatch(/^Basic /);
    expect(chooseProxy(server, { ...settings, proxySupport: 'off' }, {})).toBe('none');
    expect(chooseProxy(server, { proxyAuthorization: ' ', proxy: 'http://proxy:1' }, {})).toEqual({
      url: 'http://proxy:1',
    });
  });

  it('refuses what is no proxy instead of going round it', () => {
    for (const proxy of ['socks5://proxy:1080', 'http://', 'file:///etc']) {
      expect(() => chooseProxy(server, { proxy }, {})).toThrow(
        expect.objectContaining({ reason: 'badProxy' }) as Error,
      );
    }
  });
});

describe('isExcepted', () => {
  it.each([
    ['https://a.example.com', 'example.com', true],
    ['https://a.example.com', '.example.com', true],
    ['https://a.example.com', '*.example.com', true],
    ['https://badexample.com', 'example.com', false],
    ['https://example.com', 'EXAMPLE.com', true],
    ['https://example.com', 'example.com:443', true],
    ['https://example.com:8443', 'example.com:443', false],
    ['http://example.com', 'example.com:80', true],
    ['https://anything', '*', true],
    ['https://[fd00::5]', 'fd00:0::5', true],
    ['https://[fd00::5]:8443', '[FD00:0:0::5]:8443', true],
    ['https://example.com', 'example.com.', true],
    ['https://example.com', 'https://example.com/', true],
    ['https://intranet', '<local>', true],
    ['https://intra.net', '<local>', false],
    ['https://10.1.2.3', '<local>', false],
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '2.3', false],
    ['https://10.1.2.3', '10.0.0.0/99', false],
    ['https://[fd00::5]:8443', 'fd00::/8', true],
    ['https://[fd00::5]:8443', '[fd00::5]:8443', true],
    ['https://[fd00::5]', 'fd00::5', true],
    ['https://example.com', '', false],
    ['https://example.com', '.', false],
  ])('%s by %s: %s', (url, entry, expected) => {
    expect(isExcepted(new URL(url), [entry])).toBe(expected);
  });
});
