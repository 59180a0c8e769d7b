import * as z from 'zod';
import type { AnalyticsClient } from '../../client/client.ts';
import { ClientError } from '../../client/clientError.ts';
import { text, errorCode } from '../../contract/fields.ts';
import type { ReportTypePlace } from '../../objects/kinds/reportTypeId.ts';
import type { DatabaseTable } from './proposeReportType.ts';
import { say } from '../../l10n/l10n.ts';

/** Name of a table, with its schema; empty for the connection's own. */
export type TableName = Pick<DatabaseTable, 'name' | 'owner'>;

const listedTable = z.looseObject({ tablename: text, tableowner: text });
const listFault = z.looseObject({ ErrorCode: errorCode, ErrorMessage: text });

/**
 * Tables of a registered server's database. API description, App builder (GetAnyDbModule).
 * @throws {ClientError} also when the server has the application, but cannot reach its database.
 */
export async function readTableNames(client: AnalyticsClient, place: ReportTypePlace): Promise<TableName[]> {
  const endpoint = 'AppBuilder/GetAnyDbModule';
  const module = await client.call(endpoint, { moduleid: place.moduleId, regserverid: place.regServerId });
  const { ErrorCode, ErrorMessage } = listFault.safeParse(module.DBSQLTableList ?? {}).data ?? {};
  if (Number(ErrorCode ?? 0) !== 0) {
    const { name: server } = client.target;
    const words =
      ErrorMessage || say('{0} cannot list the tables of registered server {1}.', server, place.regServerId);
    throw new ClientError('refused', words, { server, endpoint, code: Number(ErrorCode) });
  }
  return (module.DBSQLTableList?.AllDbtables ?? []).flatMap((entry) => {
    const table = listedTable.safeParse(entry).data;
    return table?.tablename ? [{ name: table.tablename, owner: table.tableowner ?? '' }] : [];
  });
}

/** A table with its columns. API description, App builder (GetTableDef). */
export async function readTable(
  client: AnalyticsClient,
  regServerId: string,
  table: TableName,
): Promise<DatabaseTable> {
  const body = { tablename: table.name, tableowner: table.owner, regserverid: regServerId };
  return { ...table, columns: await client.call('AppBuilder/GetTableDef', body) };
}

/** Codes of the field types that a server offers. API description, App builder (GetDataTypes). */
export async function readFieldTypes(client: AnalyticsClient): Promise<Set<string>> {
  const types = await client.call('AppBuilder/GetDataTypes', {});
  return new Set(types.map(({ name }) => name ?? '').filter((name) => name !== ''));
}
