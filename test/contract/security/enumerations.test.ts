import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { type AttackedTable, type Scene, startScene } from '../../support/security/scene.ts';

/* The members of an enumeration are values of rows: an Architect reads the columns of a table, and none of these. */

const members = `'North', 'Zeta, it''s (Z)', 'Omega'`;
const numbered = `'North' = 1, 'Zeta, it\\'s (Z)' = 2, 'Omega' = -3`;
const types: Record<string, string> = {
  duckdb: `tenant ENUM(${members}), others ENUM(${members})[]`,
  sqlite: 'tenant TEXT, others TEXT',
  mysql: `tenant ENUM(${members}), others SET('North', 'Zeta', 'Omega')`,
  postgresql: 'tenant VARCHAR(40), others tenants',
  clickhouse: `tenant Enum8(${numbered}), others Nullable(Enum16(${numbered}))`,
};
const table: AttackedTable = {
  name: 'deals',
  columns: { id: 'num' },
  setup: (platform) => [
    ...(platform === 'postgresql' ? [`CREATE TYPE tenants AS ENUM (${members})`] : []),
    `CREATE TABLE deals (id INTEGER, ${types[platform]})${platform === 'clickhouse' ? ' ENGINE = MergeTree ORDER BY id' : ''}`,
  ],
};

let scene: Scene;
beforeAll(async () => {
  scene = await startScene(table);
}, 120_000);
afterAll(() => scene.stop(), 60_000);

it('keeps the members of enumerations from whoever reads the columns of a table', async () => {
  for (const { platform, app } of scene.apps) {
    const asked = { tablename: 'deals', tableowner: '', regserverid: app.serverId };
    const { text, json } = await scene.attacker.call('AppBuilder/GetTableDef', asked);
    const columns = z.array(z.looseObject({ columnname: z.string(), datatype: z.string() })).parse(json);
    expect(
      columns.map(({ columnname }) => columnname),
      platform,
    ).toEqual(['id', 'tenant', 'others']);
    expect(text, platform).not.toMatch(/North|Zeta|Omega/);
    const { datatype = '' } = columns.find(({ columnname }) => columnname === 'tenant') ?? {};
    if (!['postgresql', 'sqlite'].includes(platform)) expect(datatype, platform).toMatch(/^enum8?\(…\)$/i);
  }
});
