import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Network } from '../../../../src/connections/network/network.ts';
import { settings } from '../../../support/vscode/settings.ts';
import { MemoryMemento, MemorySecretStorage } from '../../../support/vscode/storage.ts';

let network: Network;

beforeEach(() => {
  for (const name of [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'http_proxy',
    'https_proxy',
    'ALL_PROXY',
    'all_proxy',
    'NO_PROXY',
    'no_proxy',
  ]) {
    vi.stubEnv(name, undefined);
  }
  network = new Network({ state: new MemoryMemento(), secrets: new MemorySecretStorage() });
});

afterEach(() => {
  network.dispose();
  settings.clear();
  vi.unstubAllEnvs();
});

const server = 'https://reports.example.com/api';
const proxyOf = async () => {
  const { proxy } = await network.routeTo(server);
  return typeof proxy === 'object' ? proxy.url : proxy;
};

it.each(['workspaceValue', 'workspaceFolderValue'])('ignores the %s of http.proxy', async (place) => {
  settings.set('http.proxy', { defaultValue: '', [place]: 'http://evil.example.com:8080' });
  expect(await proxyOf()).toBeUndefined();
});

it("takes the user's proxy where a workspace names another", async () => {
  settings.set('http.proxy', {
    globalValue: 'http://ours.example.com:3128',
    workspaceValue: 'http://evil.example.com',
  });
  expect(await proxyOf()).toContain('ours.example.com');
});

it.each([
  ['http.proxySupport', 'off'],
  ['http.noProxy', ['reports.example.com']],
])("sends nothing past the user's proxy because a workspace sets %s", async (key, workspaceValue) => {
  settings.set('http.proxy', { globalValue: 'http://ours.example.com:3128' });
  settings.set(key, { workspaceValue });
  expect(await proxyOf()).toContain('ours.example.com');
  // The same value counts as the user's own.
  settings.set(key, { globalValue: workspaceValue });
  expect(await proxyOf()).toBeUndefined();
});

it("sends no account that a workspace sets to the user's proxy", async () => {
  settings.set('http.proxy', { globalValue: 'http://ours.example.com:3128' });
  settings.set('http.proxyAuthorization', { workspaceValue: 'Basic ZXZpbDpldmls' });
  expect(JSON.stringify((await network.routeTo(server)).proxy)).not.toContain('ZXZpbDpldmls');
});

it('reads no file of authorities or client certificates that a workspace names', async () => {
  settings.set('analytics.network.extraCaFile', { defaultValue: '', workspaceValue: '/no/such/ca.pem' });
  const files = { certificate: '/no/such/cert.pem', key: '/no/such/key.pem' };
  settings.set('analytics.network.clientCertificates', { defaultValue: {}, workspaceValue: { [server]: files } });
  expect(await network.routeTo(server)).toEqual({ tls: {} });
  settings.set('analytics.network.extraCaFile', { globalValue: '/no/such/ca.pem' });
  await expect(network.routeTo(server)).rejects.toMatchObject({ kind: 'tls' });
});
