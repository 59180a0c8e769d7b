import { afterEach, describe, expect, it } from 'vitest';
import { decodeInSlices, decodeReply } from '../../../../src/client/http/reply/decode.ts';
import { EndpointCaller } from '../../../../src/client/http/endpointCall.ts';
import { Transport } from '../../../../src/client/http/transport.ts';
import type { EndpointRow } from '../../../../src/contract/endpointRow.ts';
import { endpointPaths, endpoints, type EndpointPath } from '../../../../src/contract/endpoints.ts';
import { figure } from '../../../support/run/figure.ts';
import { startScriptedServer, type Script } from '../../../support/scriptedServer.ts';

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function decode(path: EndpointPath, value: unknown): unknown {
  return decodeReply(
    path,
    { status: 200, contentType: 'application/json', text: JSON.stringify(value) },
    'Test Server',
  );
}

async function callerOf(script: Script): Promise<EndpointCaller> {
  const server = await startScriptedServer(script);
  const target = { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` };
  const transport = new Transport(target);
  cleanups.push(() => server.close());
  cleanups.push(() => transport.close());
  return new EndpointCaller(target, transport, { request: () => undefined });
}

const objectPaths = endpointPaths.filter((path) => {
  const { form }: EndpointRow = endpoints[path];
  return form.kind === 'json' && form.shape === 'object';
});

describe('success that is not proved', () => {
  const foreign: unknown[] = [
    { error: 'blocked by gateway' },
    { detail: 'Access denied', status: 'failed' },
    ...[{ ErrorCode: 9001 }, { ERROR_CODE: 9001 }, { error_code: 9001 }, { returncode: 9001 }],
    ...[{ ErrorCode: '9001' }, { Code: 9001, Message: 'no' }, { HasError: true, ErrorMessage: 'no' }],
  ];

  it.each(objectPaths)('is none at %s', (path) => {
    for (const value of foreign) expect(() => decode(path, value), JSON.stringify(value)).toThrow(/Test Server/);
  });

  it('counts', () => {
    expect(objectPaths.length).toBeGreaterThan(40);
    figure(
      'R19',
      `${objectPaths.length * foreign.length} objects of something else at ${objectPaths.length} endpoints refused`,
    );
  });

  it.each<[EndpointPath, unknown]>([
    ['library/DelFolder', { message: 'Access denied' }],
    ['DataTag/DeleteDataTag', { Message: 'Data tag is in use' }],
    ['LicenseManager/RefreshInstalledLicenses', { message: 'busy' }],
    ['Session/CheckSession', { SessionExpir: '0001-01-01T00:00:00' }],
    ['Report/GetReportMetadataById', { Report: null, Prompts: null }],
    ['Contact/SaveContact', { LoginName: 'ada' }],
    ['Contact/DeleteContact', { ErrorMessage: null, ID: null }],
    ['SMTP/DeleteSMTP', { SMTPId: null }],
  ])('%s answering %o', (path, value) => {
    expect(() => decode(path, value)).toThrow(/Test Server answered/);
  });

  it.each<[EndpointPath, unknown]>([
    ['Shield/SaveShieldPolicy', { ErrorCode: null, id: '7', Name: 'Tenants' }],
    ['Shield/SaveShieldPolicy', { id: 7, Name: 'Tenants' }],
    ['DataTag/DeleteDataTag', { Code: '0', Message: null }],
    ['library/DelFolder', { returncode: 0 }],
    ['SMTP/DeleteSMTP', { ErrorCode: 0 }],
    ['AppSettings/SaveAppSettings', { SESSION_TIMEOUT: 20 }],
    ['Session/CheckSession', { ErrorCode: '0' }],
    ['Session/CheckSession', { ErrorCode: null, SessionToken: 't', SessionExpir: '2026-03-01T12:20:00Z' }],
    ['Session/RefreshSession', { SessionToken: 't' }],
    ['Report/GetReportData', { HasError: false, ErrorCode: 3, Data: [] }],
  ])('but %s answering %o is success', (path, value) => {
    expect(decode(path, value)).toEqual(value);
  });

  it('takes the code of a role as text', () => {
    expect(decode('Contact/GetRolesList', [{ ERROR_CODE: '0', ERROR_MESSAGE: null, RoleId: '0' }])).toHaveLength(1);
  });

  it('takes no other text for an installation id', () => {
    const reply = { status: 200, contentType: 'text/plain', text: 'Service Unavailable' };
    expect(() => decodeReply('LicenseManager/GetInstallationID', reply, 'Test Server')).toThrow(/Unexpected reply/);
  });
});

describe('another object than the one that was asked for', () => {
  const reads: [EndpointPath, object, object][] = [
    ['Contact/GetContactById', { ContactId: '12' }, { ErrorCode: 0, ID: '77', LoginName: 'ada' }],
    ['Contact/GetContactById', { ContactId: '12' }, { ErrorCode: 0, ID: null, LoginName: 'nobody' }],
    ['Contact/SaveContact', { withpin: false, user: { ID: '12' } }, { ErrorCode: 0, ID: '77' }],
    ['Contact/DeleteContact', { user: { ID: '12' } }, { ErrorCode: 0, ID: '77' }],
    ['Group/GetSecurityGroupById', { GroupId: '12' }, { ErrorCode: 0, GroupId: '77' }],
    ['library/GetFolderById', { folderid: '12' }, { error_code: 0, id: 77, fname: 'x' }],
    ['Report/GetReport', { ReportId: '12' }, { ErrorCode: 0, ReportID: '77' }],
    ['Report/GetReportMetadataById', { ReportID: '12' }, { Report: { ErrorCode: 0, ReportID: '77' }, Prompts: null }],
    ['Report/ReplacePrompt', { Reportobj: { Report: { ReportID: '12' } }, Prompt: {} }, { Report: { ReportID: 77 } }],
    [
      'Report/ReplacePromptCollection',
      { Reportobj: { Report: { ReportID: '12' } }, Prompts: [] },
      { Report: { ReportID: '77' }, Prompts: [] },
    ],
    ['Report/ReportProcUI', { db_platform: 'x', report: { ReportID: 12 } }, { ErrorCode: 0, ReportID: '77' }],
  ];

  it.each(reads)('is no answer of %s to %o: %o', async (path, body, reply) => {
    const caller = await callerOf(() => reply);
    await expect(caller.call(path, body as never, 'token')).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('12') as unknown,
    });
  });

  it.each([
    [
      'Report/ReplacePrompt',
      { Reportobj: { Report: { ReportID: '12' } }, Prompt: {} },
      { Report: { Reportname: 'x' } },
    ],
    ['Report/ReplacePrompt', { Reportobj: { Report: { ReportID: '12' } }, Prompt: {} }, { Report: { ReportID: 12 } }],
    ['Report/ReplacePrompt', { Reportobj: { Report: { ReportID: null } }, Prompt: {} }, { Report: { ReportID: '77' } }],
    ['Report/ReportProcUI', { db_platform: 'x', report: { ReportID: '12' } }, { Reportname: 'x' }],
  ] as [EndpointPath, object, object][])('is not what %s to %o got with %o', async (path, body, reply) => {
    const caller = await callerOf(() => reply);
    await expect(caller.call(path, body as never, 'token')).resolves.toMatchObject({ value: reply });
  });

  it('is told from the right one, whether its id is text or a number, and from a new one', async () => {
    const caller = await callerOf(({ path }) =>
      path.endsWith('GetFolderById') ? { error_code: 0, id: 12, fname: 'x' } : { ErrorCode: 0, ID: '77' },
    );
    await expect(caller.call('library/GetFolderById', { folderid: '12' }, 't')).resolves.toBeDefined();
    await expect(
      caller.call('Contact/SaveContact', { withpin: false, user: { ID: null } }, 't'),
    ).resolves.toBeDefined();
  });
});

describe('a long list', () => {
  const listOf = (text: string) => ({ status: 200, contentType: 'application/json', text });

  it('of wrong entries is refused at the first', () => {
    const text = `[${'0,'.repeat(400_000)}0]`;
    const began = performance.now();
    expect(() => decodeReply('Contact/GetContactList', listOf(text), 'Test Server')).toThrow(/at 0: /);
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it('has a limit', () => {
    const text = `[${'{},'.repeat(1_000_000)}{}]`;
    expect(() => decodeReply('Contact/GetContactList', listOf(text), 'Test Server')).toThrow(/more than 1000000/);
  });

  it('is checked in slices, between which it can be cancelled', async () => {
    const text = `[${'{"ErrorCode":0,"ID":"1","SecurityGroups":[{}]},'.repeat(200_000)}{}]`;
    const controller = new AbortController();
    const reading = decodeInSlices('Contact/GetContactList', listOf(text), 'Test Server', {
      signal: controller.signal,
      deadlineMs: 60_000,
    });
    setTimeout(() => controller.abort(), 0);
    await expect(reading).rejects.toMatchObject({ kind: 'cancelled' });
  });
});
