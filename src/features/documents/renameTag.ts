import * as vscode from 'vscode';
import { renameTag as send, renamingTag, tagUse, type TagRename, type TagUse } from '../../access/renameTag.ts';
import { onOneLine } from '../../access/rows/accessWords.ts';
import { accessEffect } from '../../access/rows/accessEffect.ts';
import type { Connection } from '../../connections/connection.ts';
import { isProfilePlaceholder, readLabel } from '../../contract/placeholders.ts';
import { attempt, CommandError } from '../../editor/commandError.ts';
import { displayText } from '../../editor/displayText.ts';
import type { DocumentTarget } from '../../editor/documentUri.ts';
import { setStatusBarMessage, showWarningMessage } from '../../editor/messages.ts';
import { confirmingUnreadLists } from '../../editor/pickers/confirmRisk.ts';
import { refreshOpenDocuments } from '../../editor/openTabs.ts';
import { verifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { withSidebarProgress } from '../../editor/progress.ts';
import { isClientError } from '../../client/clientError.ts';
import { textField } from '../../objects/kinds/objectEntry.ts';
import { readObject } from '../../objects/objectParts.ts';
import { policyKind } from '../../objects/kinds/securityKinds.ts';
import { callForList, type ObjectServer } from '../../objects/objectServer.ts';
import { isSameLabel, labelKey } from '../../objects/placeholders.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

const namedAtMost = 10;

/**
 * Renames a data tag, and in the same step every policy that compares with it.
 * @param ask asks for the new name; undefined if cancelled or unchanged.
 */
export async function renameTag(
  services: CommandServices,
  connection: Connection,
  tag: DocumentTarget,
  ask: (before: string, objection: (name: string) => string | undefined) => Promise<string | undefined>,
): Promise<void> {
  const what = vscode.l10n.t('Could not rename "{0}" on {1}', tag.name, connection.name);
  const shown = await attempt(what, () => verifiedServer(connection, tag));
  const tags = await attempt(what, async () => callForList(await shown.server(), 'DataTag/GetAllDataTags', {}));
  const from = textField(await attempt(what, async () => readObject(await shown.server(), 'tag', tag.id)), 'Label');
  const others = tags
    .filter((each) => textField(each, 'ID') !== tag.id)
    .map((each) => labelKey(textField(each, 'Label')));
  const to = (await ask(from, (name) => objectionTo(name, from, others)))?.trim();
  if (to === undefined) return;
  const rename = { tagId: tag.id, from, to };
  const server = await attempt(what, () => shown.server());
  const use = await attempt(what, () => tagUse(server, rename));
  if (!(await attempt(what, () => confirm(server, rename, use)))) return;
  // The question may have been open for a long time.
  await sendAll(services, connection, await attempt(what, () => shown.server()), rename, use);
  const words = vscode.l10n.t('{0} is now {1} on {2}', displayText(from), displayText(to), connection.name);
  setStatusBarMessage(words, 8_000);
}

/** Why a tag cannot have this name; undefined if it can. */
function objectionTo(name: string, before: string, others: readonly string[]): string | undefined {
  if (displayText(name) === '') return vscode.l10n.t('Enter a name.');
  if (isSameLabel(name, before)) return undefined;
  const { normal } = readLabel(name);
  if (normal === undefined)
    return vscode.l10n.t('Policies cannot compare with this name. Use plain letters and digits.');
  if (isProfilePlaceholder(normal)) return vscode.l10n.t('This is the name of a profile field.');
  return others.includes(normal) ? vscode.l10n.t('Another data tag has this name.') : undefined;
}

/** Asks before policies are changed, or users see more rows. */
async function confirm(server: ObjectServer, rename: TagRename, use: TagUse): Promise<boolean> {
  const { lines, givesRows } = await accessEffect(server, renamingTag(rename, use));
  const { policies, placeholders } = use;
  if (policies.length === 0 && !givesRows) return true;
  const agree = vscode.l10n.t('Rename');
  const question = vscode.l10n.t('Rename the data tag "{0}" to "{1}" on {2}?', rename.from, rename.to, server.name);
  const names = policies.slice(0, namedAtMost).map(({ name }) => onOneLine(name));
  const rest = policies.length - names.length;
  const listed = [...names, ...(rest > 0 ? [vscode.l10n.t('and {0} more', rest)] : [])].join(', ');
  const preview = [
    policies.length === 1
      ? vscode.l10n.t('It is renamed in {0} places of 1 policy: {1}.', placeholders, listed)
      : vscode.l10n.t('It is renamed in {0} places of {1} policies: {2}.', placeholders, policies.length, listed),
    vscode.l10n.t('Until all are renamed, reports that they restrict may fail or show no rows.'),
  ];
  const detail = [...lines, ...(policies.length > 0 ? preview : [])].join('\n');
  return (await showWarningMessage(question, { modal: true, detail }, agree)) === agree;
}

/** Sends the changes; a failure in the middle says what was done. */
async function sendAll(
  services: CommandServices,
  connection: Connection,
  server: ObjectServer,
  rename: TagRename,
  use: TagUse,
): Promise<void> {
  const { policies } = use;
  const confirm = () => confirmingUnreadLists(policyKind, server.name);
  let done = 0;
  try {
    await withSidebarProgress(() => send(server, rename, use, { confirm, onRenamed: () => (done += 1) }));
  } catch (error) {
    if (done === 0 && !isClientError(error, 'unknownOutcome')) {
      throw new CommandError(vscode.l10n.t('Could not rename "{0}" on {1}', rename.from, connection.name), error);
    }
    const words = vscode.l10n.t(
      'Renamed in {0} of {1} policies on {2}; the data tag is still "{3}". Rename it to "{4}" again to continue',
      done,
      policies.length,
      connection.name,
      rename.from,
      rename.to,
    );
    throw new CommandError(words, error);
  } finally {
    await services.tree.refreshObjects(connection, 'tag', 'policy');
    const tag = { id: rename.tagId, name: rename.from };
    const changed = [
      { kind: 'tag', objects: [tag] },
      { kind: 'policy', objects: policies },
    ];
    await refreshOpenDocuments(services, connection, ...changed);
  }
}
