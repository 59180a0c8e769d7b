import pg from 'pg';
import { columnTypes } from '../reports/shopData.ts';
import type { DatabaseServer } from './serverProcess.ts';
import { createTables, serverShop, type ShopEngine, type ShopWriter } from './shopEngine.ts';
import { sharedTrino, trinoSchema } from './trinoPlatform.ts';

const types = { DOUBLE: 'DOUBLE PRECISION' };
/** A role that sees what the policies of PostgreSQL let it see. */
const member = { login: 'member', password: 'secret of member' };

/** A shop on PostgreSQL as its owner sees it and, `withPolicies`, the same tables as a member sees them. */
export async function postgresqlShops(
  name: string,
  server: DatabaseServer,
  withPolicies: boolean,
): Promise<ShopEngine[]> {
  const writer = await connect(server);
  await writer.run(createTables(types));
  const own = await serverShop({ name, platform: 'postgresql' }, server, writer);
  if (!withPolicies) return [own];
  const restricted = await policyShop(`${name}'s own policies`, server, writer);
  const stop = async () => {
    await restricted.stop();
    await own.stop();
  };
  return [
    { ...own, stop },
    { ...restricted, stop: () => Promise.resolve() },
  ];
}

async function policyShop(name: string, server: DatabaseServer, owner: ShopWriter): Promise<ShopEngine> {
  await owner.run([
    ...Object.keys(columnTypes).map((table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`),
    `CREATE ROLE ${member.login} LOGIN PASSWORD '${member.password}'`,
    `GRANT SELECT ON ${Object.keys(columnTypes).join(', ')} TO ${member.login}`,
  ]);
  const nothing = () => Promise.resolve();
  const shop = await serverShop(
    { name, platform: 'postgresql' },
    { ...server, ...member, stop: nothing },
    { run: nothing, end: nothing },
  );
  const restrict: ShopEngine['restrict'] = (conditions) =>
    owner.run(
      Object.entries(conditions).flatMap(([table, condition]) => [
        `DROP POLICY IF EXISTS shown ON ${table}`,
        `CREATE POLICY shown ON ${table} FOR SELECT TO ${member.login} USING (${condition})`,
      ]),
    );
  return { ...shop, restrict };
}

/** A shop on PostgreSQL that is read through a catalog of Trino; undefined where Trino is not to be had. */
export async function catalogShop(): Promise<ShopEngine | undefined> {
  const [shared, server] = [await sharedTrino(), await trinoSchema('postgresql')];
  if (!shared || !server) return undefined;
  const schema = server.database.replace('postgresql.', '');
  const writer = await connect({ ...shared.postgresql, options: `-c search_path=${schema}` });
  await writer.run(createTables(types));
  return serverShop({ name: 'Trino on PostgreSQL', platform: 'trino' }, server, writer);
}

async function connect(place: Omit<DatabaseServer, 'stop'> & { options?: string }): Promise<ShopWriter> {
  const { login: user, host, port, password, database, options } = place;
  const client = new pg.Client({ host, port, password, database, user, ...(options && { options }) });
  await client.connect();
  return {
    run: async (statements) => {
      await client.query(statements.join(';'));
    },
    end: () => client.end(),
  };
}
