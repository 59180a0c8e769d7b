import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { EndpointRow } from '../../../src/contract/endpointRow.ts';
import { endpointPaths, endpoints, type EndpointPath } from '../../../src/contract/endpoints.ts';
import { missingFields } from '../../support/matrix/documentedFields.ts';
import { wrongTypes } from '../../support/matrix/documentedTypes.ts';
import { endpointCases } from '../../support/matrix/endpointCases.ts';
import { checkTable, tableOf, type MatrixColumn, type MatrixRow } from '../../support/matrix/matrixTable.ts';
import { outcomeOf, shownReply } from '../../support/matrix/outcome.ts';
import { Scene, type Json } from '../../support/matrix/scene.ts';
import { isRecord } from '../../support/isRecord.ts';
import { type ServerReply } from '../../support/server.ts';

/*
 * 81 endpoints × happy path, bad token, missing field, no permission, malformed object. Rows and bodies come from the
 * contract and from the cases of the authorisation suite, so no endpoint can be left out. What was seen is compared with
 * the table in the server's README; `npm run matrix` writes it there.
 */

let scene: Scene;
const seen = new Map<EndpointPath, Partial<MatrixRow>>();

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

function note(path: EndpointPath, column: MatrixColumn, shown: string): void {
  seen.set(path, { ...seen.get(path), [column]: shown });
}

const bodySchema = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

/** Required fields of a body with the kind of each, read from the contract. */
function requiredFields(path: EndpointPath): Map<string, unknown> {
  const schema = z.toJSONSchema(endpoints[path].request, { io: 'input', unrepresentable: 'any' });
  const { properties, required } = bodySchema.parse(schema);
  return new Map(required.map((name) => [name, isRecord(properties[name]) ? properties[name].type : undefined]));
}

async function happyBody(path: EndpointPath): Promise<Json> {
  // Nobody deletes the account that they are signed in with.
  const side = path === 'Contact/DeleteContact' ? 'other' : 'own';
  return { ...(await endpointCases[path].body(scene, side, scene.person('superAdmin'))) };
}

/** The reply's form: content type, and for JSON every field that the description lists, holding what it says. */
function expectDocumented(path: EndpointPath, reply: ServerReply): void {
  const row: EndpointRow = endpoints[path];
  const isJson = row.form.kind === 'json';
  expect(reply.headers['content-type']).toBe(isJson ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8');
  if (!isJson) return;
  const parsed = row.reply.parse(reply.json);
  expect(missingFields(row.reply, parsed).filter((field) => !mayBeMissing(path, field))).toEqual([]);
  expect(wrongTypes(path, reply.json)).toEqual([]);
}

/** Fields that the description gives to some replies of a shape only. */
const onlySome: readonly (readonly [path: RegExp, fields: RegExp])[] = [
  // "Present on login only."
  [/^Session\/(Check|Refresh)Session$/, /^(SessionTimeLeft|Mfa2FA_.*)$/],
  // "After criteria compilation, fields also carry tbl10 and tbl11."
  [/^Report\/(?!ReportProcUI)/, /(^|\.)tbl1[01]$/],
  // Folders of a report type's tree are no fields.
  [/^RegServers\/GetReportTree$/, /^rootnode/],
];

function mayBeMissing(path: EndpointPath, field: string): boolean {
  return onlySome.some(([paths, fields]) => paths.test(path) && fields.test(field));
}

describe('81 endpoints', () => {
  describe('happy path', () => {
    it.each(endpointPaths)('%s', async (path) => {
      const isSignIn = path === 'login/DoLogin';
      const body = isSignIn
        ? { UserId: '', UserPassword: '', isGuest: true, bolForceLogin: true }
        : await happyBody(path);
      const reply = await scene.person('superAdmin').call(path, body);
      expect(outcomeOf(path, reply), reply.text.slice(0, 200)).toBe('+');
      expectDocumented(path, reply);
      if (path === 'login/DoLogout') await scene.signIn('superAdmin');
      note(path, 'happy path', shownReply(path, reply));
    });
  });

  describe('bad token', () => {
    it.each(endpointPaths)('%s', async (path) => {
      const { form, needsToken }: EndpointRow = endpoints[path];
      if (!needsToken) return note(path, 'bad token', '–');
      const reply = await scene.server.call(path, { ...(await happyBody(path)), sessionToken: 'unknown' });
      if (form.kind !== 'json') expect([reply.status, reply.text]).toEqual([204, '']);
      else if (form.shape === 'array') expect([reply.status, reply.text]).toEqual([200, '[]']);
      else expect(reply.json).toMatchObject({ ErrorCode: 101, ErrorMessage: 'Session Expired' });
      // "Check HasError, not ErrorCode": no reply without rows may look like a result.
      if (path === 'Report/GetReportData') expect(reply.json).toMatchObject({ HasError: true });
      note(path, 'bad token', shownReply(path, reply));
    });
  });

  describe('missing field', () => {
    it.each(endpointPaths)('%s', async (path) => {
      const body = { ...(await happyBody(path)), ...(endpoints[path].needsToken && { sessionToken: 'unknown' }) };
      const required = [...requiredFields(path).keys()];
      for (const missing of required) {
        const { [missing]: _, ...rest } = body as Json;
        const reply = await scene.server.call(path, rest);
        expect(reply.status, `without ${missing}`).toBe(500);
        expect(reply.json).toMatchObject({ ErrorMessage: `The required field ${missing} is missing.` });
      }
      note(path, 'missing field', required.length > 0 ? '500' : '–');
    });
  });

  describe('no permission', () => {
    it.each(endpointPaths)('%s', async (path) => {
      const stranger = scene.person('stranger');
      const { access } = endpointCases[path];
      const expected = (typeof access === 'string' ? access : access.other)[1];
      // A wrong password is no lack of permission.
      if (expected === '+' || path === 'login/DoLogin') return note(path, 'no permission', '–');
      const reply = await stranger.call(path, await endpointCases[path].body(scene, 'other', stranger));
      expect(outcomeOf(path, reply)).toBe(expected);
      note(path, 'no permission', shownReply(path, reply));
    });
  });

  describe('malformed object', () => {
    it.each(endpointPaths)('%s', async (path) => {
      const shown = new Set<string>();
      const body = await happyBody(path);
      for (const [name, kind] of requiredFields(path)) {
        if (name === 'sessionToken') continue;
        // A value of the wrong kind, and for objects one without anything that it must hold.
        const malformed: unknown[] = [kind === 'string' ? 4711 : 'text'];
        if (kind === 'object' && wholeObjects.includes(path)) malformed.push({});
        for (const value of malformed) {
          const reply = await scene.person('superAdmin').call(path, { ...body, [name]: value });
          expect(outcomeOf(path, reply), `${name}: ${JSON.stringify(value)}`).toBe('!');
          shown.add(shownReply(path, reply));
        }
      }
      const withoutBody = await scene.server.send(`/api/${path}`, { body: '[]' });
      expect(outcomeOf(path, withoutBody)).toBe('!');
      shown.add(shownReply(path, withoutBody));
      expect([...shown]).toHaveLength(1);
      note(path, 'malformed object', [...shown].join());
    });
  });

  it.each(endpointPaths)('%s: path in any case, POST only', async (path) => {
    const shouted = await scene.server.send(`/API/${path.toUpperCase()}`, { body: '[]' });
    expect(outcomeOf(path, shouted)).toBe('!');
    const read = await scene.server.send(`/api/${path}`, { method: 'GET' });
    expect([read.status, read.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    const beside = await scene.server.send(`/api/${path}x`, { body: '{}' });
    expect(beside.status).toBe(404);
  });

  it('stand in the server’s README as they were seen', async () => {
    await checkTable(tableOf(endpointPaths, seen));
  });
});

/** Calls that take an object whole: one without its collections is refused. API description, Endpoints (common rules). */
const wholeObjects: readonly EndpointPath[] = [
  'Contact/SaveContact',
  'Contact/SaveMYContact',
  'Contact/DeleteContact',
  'Contact/UnlockContact',
  'Group/SaveSecurityGroup',
  'Group/DeleteSecurityGroup',
  'DataTag/SaveDataTag',
  'DataTag/DeleteDataTag',
  'Shield/SaveShieldPolicy',
  'Shield/DeletePolicy',
  'RegServers/SaveRegSrv',
  'library/SaveLibraryFolder',
  'AppBuilder/SaveAnyDbModule',
  'Report/SaveReport',
  'Report/UpdateReport',
];
