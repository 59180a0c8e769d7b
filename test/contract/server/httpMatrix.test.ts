import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { EndpointRow } from '../../../src/contract/endpointRow.ts';
import { endpointPaths, endpoints, type EndpointPath } from '../../../src/contract/endpoints.ts';
import { isRecord, startServer, type ServerReply, type SignedIn, type TestServer } from '../../support/server.ts';

/** Endpoints that only administrators may call, by api description and server README. */
const adminOnly: readonly EndpointPath[] = [
  'Contact/SaveContact',
  'Contact/GetContactList',
  'Contact/DeleteContact',
  'Contact/UnlockContact',
  'Group/GetAllSecurityGroups',
  'Group/GetSecurityGroupById',
  'Group/SaveSecurityGroup',
  'Group/DeleteSecurityGroup',
  'Group/AddUser',
  'Group/RemoveUser',
  'DataTag/SaveDataTag',
  'DataTag/GetAllDataTags',
  'DataTag/DeleteDataTag',
  'Shield/GetAllShieldPolicies',
  'Shield/SaveShieldPolicy',
  'Shield/DeletePolicy',
  'Shield/AddGroup',
  'Shield/RemoveGroup',
  'RegServers/InsertAnyDbModule',
  'SMTP/GetSMTP',
  'SMTP/SaveSMTP',
  'SMTP/DeleteSMTP',
  'AppSettings/GetAppSettings',
  'AppSettings/SaveAppSettings',
  'Audit/GetAuditTypes',
  'Audit/SaveAuditTypes',
  'LicenseManager/RefreshInstalledLicenses',
];

interface BodySchema {
  properties: Record<string, unknown>;
  required: string[];
}
const bodySchema = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

/** The shape of an endpoint's body, read from the contract. */
function bodyOf(path: EndpointPath): BodySchema {
  return bodySchema.parse(z.toJSONSchema(endpoints[path].request, { io: 'input', unrepresentable: 'any' }));
}

/** Placeholder values of the right kind for every required field. */
function placeholders(path: EndpointPath): Record<string, unknown> {
  const { properties, required } = bodyOf(path);
  return Object.fromEntries(required.map((name) => [name, placeholder(properties[name])]));
}

function placeholder(schema: unknown): unknown {
  switch (isRecord(schema) ? schema.type : undefined) {
    case 'string':
      return '0';
    case 'boolean':
      return false;
    case 'array':
      return [];
    default:
      return {};
  }
}

/** Asserts that a reply refuses in the way the endpoint's form asks for. */
function expectRefused(path: EndpointPath, reply: ServerReply, code: number): void {
  const { form }: EndpointRow = endpoints[path];
  expect(reply.status).toBe(200);
  if (form.kind === 'text' && form.success) {
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(form.success).not.toContain(reply.text);
    expect(reply.text).not.toBe('');
    return;
  }
  if (form.kind === 'number') {
    expect(reply.text).toBe(form.success === 1 ? '0' : String(code));
    return;
  }
  if (form.kind === 'json' && form.shape === 'object') {
    switch (form.envelope) {
      case 'upper':
        return expect(reply.json).toMatchObject({ ERROR_CODE: code });
      case 'lower':
        return expect(reply.json).toMatchObject({ error_code: code });
      case 'return':
        return expect(reply.json).toMatchObject({ returncode: code });
      case 'code':
        return expect(reply.json).toMatchObject({ Code: code });
      case 'run':
        return expect(reply.json).toMatchObject({ HasError: true, ErrorCode: 0 });
      case 'metadata':
        return expect(reply.json).toMatchObject({ Report: { ErrorCode: code } });
      case 'standard':
      case 'none':
        break;
    }
  }
  expect(reply.json).toMatchObject({ ErrorCode: code });
}

describe('81 endpoints', () => {
  let server: TestServer;
  let admin: SignedIn;
  let viewer: SignedIn;

  beforeAll(async () => {
    server = await startServer({ sample: true });
    admin = await server.login('admin', server.adminPassword);
    viewer = await server.login('north.viewer', server.adminPassword);
  });
  afterAll(() => server.stop());

  const withToken = endpointPaths.filter((path) => endpoints[path].needsToken);

  it.each(withToken)('%s: an unknown token', async (path) => {
    const reply = await server.call(path, { ...placeholders(path), sessionToken: 'unknown' });
    const { form }: EndpointRow = endpoints[path];
    if (form.kind !== 'json') {
      expect([reply.status, reply.text]).toEqual([204, '']);
    } else if (form.shape === 'array') {
      expect([reply.status, reply.text]).toEqual([200, '[]']);
    } else {
      expect(reply.json).toMatchObject({ ErrorCode: 101, ErrorMessage: 'Session Expired' });
    }
  });

  it.each(endpointPaths)('%s: each required field left out', async (path) => {
    const body = placeholders(path);
    for (const missing of Object.keys(body)) {
      const { [missing]: _, ...rest } = body;
      const reply = await server.call(path, rest);
      expect(reply.status, `without ${missing}`).toBe(500);
      expect(reply.json).toMatchObject({ ErrorMessage: `The required field ${missing} is missing.` });
    }
  });

  it.each(endpointPaths)('%s: each required field of the wrong kind', async (path) => {
    const body = placeholders(path);
    for (const name of Object.keys(body)) {
      const reply = await server.call(path, { ...body, [name]: 4711 });
      expectRefused(path, reply, 9000);
    }
  });

  it.each(endpointPaths)('%s: path in any case, POST only', async (path) => {
    const shouted = await server.send(`/API/${path.toUpperCase()}`, { body: '[]' });
    expectRefused(path, shouted, 9000);
    const read = await server.send(`/api/${path}`, { method: 'GET' });
    expect([read.status, read.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    const beside = await server.send(`/api/${path}x`, { body: '{}' });
    expect(beside.status).toBe(404);
  });

  it.each(adminOnly)('%s: not for a user who is no administrator', async (path) => {
    const reply = await viewer.call(path, placeholders(path));
    expect([reply.status, reply.text]).toEqual([204, '']);
  });

  it('lets an administrator through where others are kept out', async () => {
    for (const path of adminOnly) {
      const reply = await admin.call(path, placeholders(path));
      expect(reply.status, path).toBe(200);
    }
  });
});
