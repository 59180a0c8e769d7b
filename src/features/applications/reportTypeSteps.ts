import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { readFieldTypes, readTable, readTableNames, type TableName } from './databaseTables.ts';
import {
  fieldLabel,
  proposeFields,
  proposeJoins,
  unjoinedTables,
  withAliases,
  type AliasedTable,
  type ProposedJoin,
} from './proposeReportType.ts';
import type { FirstReportType } from './setupJournal.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import { displayText } from '../../editor/displayText.ts';
import type { ReportTypePlace } from '../../objects/kinds/reportTypeId.ts';
import { askText, back } from '../../editor/pickers/inputSteps.ts';

interface TableChoice extends vscode.QuickPickItem {
  table: TableName;
}

interface JoinChoice extends vscode.QuickPickItem {
  /** Columns of the same two tables, which belong together. */
  joins: readonly ProposedJoin[];
}

/**
 * Lets the user make a report type of tables of a database: the tables, how they join, and a name. The proposal is shown
 * before anything is saved.
 * @returns undefined when the user gave up.
 * @throws {ClientError} when the server cannot describe its tables.
 */
export async function askReportType(
  client: AnalyticsClient,
  place: ReportTypePlace,
  title: string,
  suggestedName: string,
): Promise<FirstReportType | undefined> {
  const names = await readTableNames(client, place);
  if (names.length === 0) throw new Error(vscode.l10n.t('The database shows no table to {0}.', client.target.name));
  const chosen = await pickTables(names, title);
  if (!chosen || chosen.length === 0) return undefined;
  const tables = withAliases(await Promise.all(chosen.map((table) => readTable(client, place.regServerId, table))));
  const joins = tables.length === 1 ? [] : await pickJoins(tables, title);
  if (!joins) return undefined;
  const fields = proposeFields(tables, await readFieldTypes(client));
  const count = fields.filter(({ nodetype }) => nodetype === 'F').length;
  const name = await askText({
    title: vscode.l10n.t('{0}: report type of {1} columns from {2} tables', title, count, tables.length),
    value: suggestedName === '' ? fieldLabel(tables[0]?.name ?? '') : suggestedName,
    placeholder: vscode.l10n.t('Name of the report type'),
    prompt: vscode.l10n.t('Name of the report type. Fields and joins can be changed later in its document.'),
    accept: async (value) => (displayText(value) === '' ? vscode.l10n.t('Enter a name.') : undefined),
  });
  if (name === undefined || name === back) return undefined;
  return {
    name: name.trim(),
    tables: tables.map(({ name: table, owner, alias }) => ({ name: table, owner, alias })),
    joins: [...joins],
    fields,
  };
}

/** Lets the user choose tables; undefined when the user gave up. */
export async function pickTables(names: readonly TableName[], title: string): Promise<TableName[] | undefined> {
  const items = names.map((table): TableChoice => {
    return { label: displayText(table.name), description: displayText(table.owner), table };
  });
  const picked = await showQuickPick(items, {
    title: vscode.l10n.t('{0}: tables', title),
    placeHolder: vscode.l10n.t('Tables that reports can use together; the first is the one that others join'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ table }) => table);
}

/** Shows the joins that the keys' names propose; the user keeps those that are right. */
async function pickJoins(tables: readonly AliasedTable[], title: string): Promise<ProposedJoin[] | undefined> {
  const proposed = proposeJoins(tables);
  const groups = Map.groupBy(proposed, ({ leftAlias, rightAlias }) => JSON.stringify([leftAlias, rightAlias]));
  const items = [...groups.values()].map((joins): JoinChoice => ({ ...lookOf(joins), picked: true, joins }));
  const lonely = unjoinedTables(tables, proposed);
  const none =
    lonely.length === 0
      ? undefined
      : vscode.l10n.t(
          'No key joins {0}: add its joins to the report type before reports use it.',
          lonely.map(({ alias }) => displayText(alias)).join(', '),
        );
  if (items.length === 0) {
    const goOn = vscode.l10n.t('Go On');
    const answer = await showWarningMessage(none ?? '', { modal: true }, goOn);
    return answer === goOn ? [] : undefined;
  }
  const picked = await showQuickPick(items, {
    title: vscode.l10n.t('{0}: joins proposed from equal keys', title),
    placeHolder: none ?? vscode.l10n.t('Keep the joins that are right'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked?.flatMap(({ joins }) => [...joins]);
}

function lookOf(joins: readonly ProposedJoin[]): vscode.QuickPickItem {
  const words = joins.map((join) => {
    const { leftAlias, leftColumn, rightAlias, rightColumn } = join;
    return displayText(`${leftAlias}.${leftColumn} = ${rightAlias}.${rightColumn}`);
  });
  const [first] = joins;
  const description =
    first?.kind === 'left'
      ? vscode.l10n.t('left join: keeps rows of {0} without a match', displayText(first.leftAlias))
      : vscode.l10n.t('inner join: keeps rows with a match on both sides');
  return { label: words.join(` ${vscode.l10n.t('and')} `), description };
}
