import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/server/databases/database.ts';
import { Databases } from '../../../../src/server/databases/databases.ts';
import { anyFolder } from '../../../support/databases/anyFolder.ts';
import { askTrino, nodesOf, startTrino, type TrinoNode } from '../../../support/databases/trinoServer.ts';
import { waitFor } from '../../../support/waitFor.ts';

/* A coordinator of Trino and two workers, which are lost and found again: the whole result, or an error that says why. */

/** So that a lost node is missed within seconds. */
const impatient = ['exchange.max-error-duration=3s', 'query.remote-task.max-error-duration=3s'];
const rows = 60_175;
let coordinator: TrinoNode | undefined;
let workers: TrinoNode[] = [];
let lake: Database;
const databases = new Databases(anyFolder);

beforeAll(async () => {
  coordinator = await startTrino({ isAlone: false, config: impatient });
  if (!coordinator) return;
  const { port } = coordinator;
  const worker = () => startTrino({ coordinator: port, config: impatient });
  workers = (await Promise.all([worker(), worker()])).filter((node) => node !== undefined);
  await nodesOf(port, 2);
  const place = { id: '1', displayName: 'Lake', platform: 'trino', host: `127.0.0.1:${port}`, database: 'tpch.tiny' };
  lake = await databases.at({ ...place, login: 'ann', params: '', commandTimeout: 120, connectionTimeout: 20 });
}, 600_000);
afterAll(async () => {
  await databases.close();
  await Promise.all([...workers, coordinator].map(async (node) => node?.stop()));
}, 60_000);
beforeEach(({ skip }) => skip(!coordinator, 'Trino could not be installed'));

async function count(sql: string): Promise<number> {
  let found = 0;
  const options = { signal: new AbortController().signal, timeoutMs: 120_000 };
  for await (const batch of await lake.readJson({ sql, values: [] }, options)) found += batch.count;
  return found;
}

/** Starts a query that takes long on all workers. @returns its result or its error, once it runs there. */
async function startLongQuery(port: number, nodes: number): Promise<{ ended: Promise<number | string> }> {
  const ended = count('SELECT sum(partkey + suppkey) AS x FROM tpch.sf1000.lineitem').catch(String);
  const tasks = `SELECT count(DISTINCT t.node_id) FROM system.runtime.tasks t JOIN system.runtime.queries q
    ON t.query_id = q.query_id WHERE q.user = 'ann' AND q.state = 'RUNNING' AND t.state = 'RUNNING'`;
  await waitFor('the query on its workers', async () => Number((await askTrino(port, tasks))[0]?.[0]) >= nodes, 60_000);
  return { ended };
}

describe('a Trino of several servers', () => {
  it('gives the whole result', async () => {
    expect(await count('SELECT orderkey AS x FROM lineitem')).toBe(rows);
  }, 120_000);

  it('says that it lost a worker, and goes on with the other one', async () => {
    const port = coordinator?.port ?? 0;
    const { ended } = await startLongQuery(port, 2);
    await workers[0]?.kill();
    expect(await ended).toMatch(/Lake lost a server that computed a part of the result; run the report again/);
    const whole = async () => (await count('SELECT orderkey AS x FROM lineitem').catch(() => 0)) === rows;
    await waitFor('the whole result of one worker', whole, 60_000);
  }, 240_000);

  it('says that its coordinator is gone, and is found again once that is back', async () => {
    const port = coordinator?.port ?? 0;
    const { ended } = await startLongQuery(port, 1);
    await coordinator?.kill();
    expect(await ended).toMatch(/Lake: cannot connect to .*: (the connection was lost|no server is listening there)/);
    await expect(count('SELECT 1 AS x')).rejects.toThrow('no server is listening there');
    coordinator = await startTrino({ isAlone: false, config: impatient, port });
    const whole = async () => (await count('SELECT orderkey AS x FROM lineitem').catch(() => 0)) === rows;
    await waitFor('the whole result after the restart', whole, 120_000);
  }, 300_000);
});
