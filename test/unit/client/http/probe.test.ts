import { afterEach, describe, expect, it } from 'vitest';
import { parseAddress, probeServer } from '../../../../src/client/http/probe.ts';
import { handled, startScriptedServer, type ScriptedServer } from '../../../support/scriptedServer.ts';

const id = '1234-5678-9012-3456-7890-1234';
let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serverAt(base: string): Promise<ScriptedServer> {
  server = await startScriptedServer((request, response) => {
    if (request.path === `${base}/LicenseManager/GetInstallationID`) return id;
    response.writeHead(404).end();
    return handled;
  });
  return server;
}

describe('probeServer', () => {
  it.each([
    ['/api', ''],
    ['/service/api', ''],
    ['/reports/api', '/reports'],
    ['/custom/api', '/custom/api'],
  ])('finds the API at %s below an address ending in "%s"', async (base, path) => {
    const { url } = await serverAt(base);
    await expect(probeServer(url + path)).resolves.toEqual({ apiBase: url + base, installationId: id });
  });

  it('does not take any text for an installation id', async () => {
    server = await startScriptedServer(() => 'Welcome');
    await expect(probeServer(server.url)).rejects.toMatchObject({ kind: 'notFound' });
  });

  it.each([
    [301, 'notTheApi', 'redirect (301)'],
    [502, 'refused', 'status 502'],
  ])('tells of a %s at every prefix, which says more than that nothing is there', async (status, kind, words) => {
    server = await startScriptedServer((_request, response) => {
      response.writeHead(status).end();
      return handled;
    });
    await expect(probeServer(server.url)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(words) as unknown,
    });
  });

  it('says that nothing listens', async () => {
    const stopped = await startScriptedServer(() => '');
    await stopped.close();
    await expect(probeServer(stopped.url)).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

describe('parseAddress', () => {
  it.each([
    ['reports.example.com', 'https://reports.example.com'],
    ['https://reports.example.com/service/', 'https://reports.example.com/service'],
    ['localhost:8080', 'http://localhost:8080'],
    ['http://user:pw@host/x?y=1#z', 'http://host/x'],
  ])('%s is %s', (typed, root) => expect(parseAddress(typed)).toBe(root));

  it.each(['', 'ftp://host', 'https://', 'a b'])('refuses "%s"', (typed) => {
    expect(() => parseAddress(typed)).toThrow(/not a server address/);
  });
});
