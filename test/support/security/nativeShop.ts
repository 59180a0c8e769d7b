import pg from 'pg';
import type { PolicyConstraint } from '../../../src/server/security/policyConstraint.ts';
import type { DatabaseServer } from '../databases/serverProcess.ts';
import { nativeCondition } from '../reports/nativePolicy.ts';
import type { Tags } from '../reports/policyOracle.ts';

const kinds = {
  sales: { id: 'number', store: 'number', tenant: 'text', pieces: 'number', sold_on: 'date' },
  stores: { id: 'number', region: 'text' },
} as const;
const rowsOfSales = `(1, 1, 'North', 5, '2026-02-01'), (2, 1, 'South', -7, '2026-02-28'), (3, 2, 'north', 0, NULL),
  (4, 2, 'North ', 2, '2026-03-18'), (5, 3, '50%_', NULL, '2025-12-31'), (6, NULL, '50xy', 5, '2026-02-01'),
  (7, 1, NULL, 1, '2026-03-01'), (8, 3, '', 9, '2026-01-15'), (9, 2, 'North', 2, '2026-03-18'),
  (10, 3, 'Nörth', 5, '2026-02-01'), (11, 1, 'it''s', -1, NULL), (12, 2, 'South', 5, '2026-03-18')`;

/** A schema of PostgreSQL whose policies decide which rows each of its users sees. */
export interface NativeShop {
  /** Puts policies of PostgreSQL that say the same in place of others. */
  restrict: (policies: readonly (readonly PolicyConstraint[])[]) => Promise<void>;
  /** What PostgreSQL shows to a user. */
  rows: (user: string, sql: string) => Promise<unknown[][]>;
  stop: () => Promise<void>;
}

/**
 * Makes tables, a role for each user, by the values of its tags, and views: `seen_sales` shows what its reader may see,
 * `all_sales` and the materialised `kept_sales` show all rows.
 */
export async function makeNativeShop(
  { login: user, host, port, password, database }: Omit<DatabaseServer, 'stop'>,
  schema: string,
  users: Readonly<Record<string, Tags>>,
): Promise<NativeShop> {
  const owner = new pg.Client({ host, port, password, database, user, options: `-c search_path=${schema}` });
  await owner.connect();
  const roleOf = (name: string) => `"${name}_of_${schema}"`;
  const roles = Object.keys(users).map(roleOf);
  await owner.query(`
    CREATE TABLE sales (id integer, store integer, tenant text, pieces integer, sold_on date);
    INSERT INTO sales VALUES ${rowsOfSales};
    CREATE TABLE stores (id integer, region text);
    INSERT INTO stores VALUES (1, 'North'), (2, 'South'), (3, NULL);
    CREATE VIEW seen_sales WITH (security_invoker) AS SELECT * FROM sales;
    CREATE VIEW all_sales AS SELECT * FROM sales;
    CREATE MATERIALIZED VIEW kept_sales AS SELECT * FROM sales;
    ALTER TABLE sales ENABLE ROW LEVEL SECURITY;
    ALTER TABLE stores ENABLE ROW LEVEL SECURITY;`);
  for (const role of roles)
    await owner.query(`CREATE ROLE ${role}; GRANT USAGE ON SCHEMA "${schema}" TO ${role};
      GRANT SELECT ON sales, stores, seen_sales TO ${role}`);
  return {
    restrict: async (policies) => {
      const statements = Object.entries(users).flatMap(([name, tags]) =>
        Object.entries(kinds).flatMap(([table, columns]) => [
          `DROP POLICY IF EXISTS "${name}" ON ${table}`,
          `CREATE POLICY "${name}" ON ${table} FOR SELECT TO ${roleOf(name)}
            USING (${nativeCondition(table, columns, policies, tags)})`,
        ]),
      );
      await owner.query(statements.join(';'));
    },
    rows: async (name, text) => {
      await owner.query(`SET ROLE ${roleOf(name)}`);
      try {
        return (await owner.query<unknown[]>({ text, rowMode: 'array' })).rows;
      } finally {
        await owner.query('RESET ROLE');
      }
    },
    stop: async () => {
      for (const role of roles) await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await owner.end();
    },
  };
}
