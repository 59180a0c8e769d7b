import { afterEach, describe, expect, it } from 'vitest';
import type { AnalyticsClient } from '../../../../../src/client/client.ts';
import { auditTrailCalls } from '../../../../../src/features/reports/run/auditTrail.ts';
import { handled, startScriptedServer } from '../../../../support/scriptedServer.ts';
import type { Script, ScriptedServer } from '../../../../support/scriptedServer.ts';
import { testClient } from '../../../../support/testClient.ts';

let server: ScriptedServer;
let client: AnalyticsClient;
afterEach(async () => {
  await client.close();
  await server.close();
});

async function calls(trail: Script) {
  server = await startScriptedServer((request, response) => {
    if (request.path.endsWith('login/DoLogin')) return { ErrorCode: 0, LoginSession: { SessionToken: 't' } };
    if (request.path.endsWith('Session/CheckSession')) return { ErrorCode: 0, SessionToken: 't' };
    return request.path.endsWith('Audit/GetAuditTrail') ? trail(request, response) : undefined;
  });
  client = testClient(`${server.url}/api`, { userName: 'ada', password: 'x' });
  return auditTrailCalls(async () => client);
}

const run = (how: Awaited<ReturnType<typeof calls>>) => how.run({}, { isCacheOk: true }, {});
const columns = [
  { key: 'Moment', headerText: 'Moment', yurbitype: 'dat' },
  { key: 'Detail', headerText: 'Detail', yurbitype: 'cha' },
];

describe('the audit trail as a result', () => {
  it('has the rows of the server', async () => {
    const Data = [{ Moment: '2026-01-02T03:04:05.678', Detail: 'created group A' }];
    const trail = await calls(() => ({ HasError: false, ErrorCode: 0, Columns: columns, Data }));
    const { store, done } = await run(trail);
    expect(await done).toMatchObject({ kind: 'complete' });
    expect(store.rowCount).toBe(1);
    expect(store.columns.map(({ key }) => key)).toEqual(['Moment', 'Detail']);
  });

  it('is said to be missing where a server lacks the call', async () => {
    const trail = await calls((_, response) => (response.writeHead(404).end(), handled));
    await expect(run(trail)).rejects.toMatchObject({
      kind: 'notFound',
      message: expect.stringContaining('does not offer its audit trail') as string,
    });
  });

  it('is said to be for administrators where the server returns nothing', async () => {
    const trail = await calls((_, response) => (response.writeHead(204).end(), handled));
    await expect(run(trail)).rejects.toMatchObject({
      kind: 'noPermission',
      message: expect.stringContaining('only administrators') as string,
    });
  });

  it('has no SQL and no prompts', async () => {
    const trail = await calls(() => ({}));
    expect(trail.hasNoSql).toBe(true);
    await expect(trail.sql({})).rejects.toThrow('no SQL and no prompts');
    expect((await trail.metadata('audit trail')).Prompts).toEqual([]);
  });
});
