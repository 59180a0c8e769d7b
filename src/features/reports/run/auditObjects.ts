import * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import type { CommandId } from '../../../editor/commands/commandIds.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { DocumentTarget } from '../../../editor/documentUri.ts';
import { settingTarget } from '../../../editor/nodes/objectTarget.ts';
import { showQuickPick } from '../../../editor/quickInput.ts';
import type { SettingName } from '../../../editor/nodes/treeNode.ts';
import type { ObjectEntry } from '../../../objects/kinds/objectEntry.ts';
import { findKind } from '../../../objects/kinds/kinds.ts';
import { objectServer } from '../../../objects/objectServer.ts';

/** The column whose cells open the object of an entry. */
export const auditObjectColumn = 'Detail';

/** An object that an entry may be about: a list entry by its name or id, or a part of Administration. */
export type AuditObject = { readonly kind: string; readonly name: string } | { readonly setting: SettingName };

const kindsByWord: Readonly<Record<string, string>> = {
  ...{ user: 'user', group: 'group', 'data tag': 'tag', policy: 'policy' },
  ...{ folder: 'folder', report: 'report', dashboard: 'dashboard' },
};
const settingsByWord: Readonly<Record<string, SettingName>> = {
  ...{ settings: 'settings', 'mail configuration': 'smtp', 'audit types': 'audit' },
};

/**
 * What an entry of the embedded server's audit trail is about, from its words: the trail keeps no ids, which are used
 * again after a deletion.
 */
export function auditObjects(row: Readonly<Record<string, unknown>>): AuditObject[] {
  const text = (column: string) => (typeof row[column] === 'string' ? row[column] : '');
  const [event, detail] = [text('Event'), text(auditObjectColumn)];
  if (event.startsWith('Login') || event === 'Logout') return named('user', text('User'));
  if (event === 'Report Execution') return named('report', detail.replace(/, refused$/, ''));
  if (event !== 'Administration') return [];
  const setting = /^(?:saved|deleted) (settings|mail configuration|audit types)$/.exec(detail)?.[1];
  if (setting !== undefined) return [{ setting: settingsByWord[setting] ?? 'settings' }];
  if (detail.startsWith('saved licence: ')) return [{ setting: 'licences' }];
  if (detail === 'saved own profile') return named('user', text('User'));
  const [, user, group] = /^(?:made|removed) user (.+?)(?: \S+ in| from) group (.+)$/.exec(detail) ?? [];
  if (user !== undefined) return [...named('user', user), ...named('group', group)];
  const [, policy, to] = /^(?:assigned|took) policy (.+) (?:to|from) group (.+)$/.exec(detail) ?? [];
  if (policy !== undefined) return [...named('policy', policy), ...named('group', to)];
  const [, report] = /^(?:Changed|Created) report "(.*)"$/.exec(detail) ?? [];
  if (report !== undefined) return named('report', report);
  const [, type] = /^Report type \S+ "(.*)" saved$/.exec(detail) ?? [];
  if (type !== undefined) return named('reporttype', type);
  const [, server] = /^Registered server (\S+) (?:saved|added)$/.exec(detail) ?? [];
  if (server !== undefined) return named('server', server);
  const pattern = /^(?:saved|created|deleted|unlocked) (user|group|data tag|policy|folder|report|dashboard) (.+)$/;
  const [, word = '', name = ''] = pattern.exec(detail) ?? [];
  return named(kindsByWord[word] ?? '', word === 'folder' ? name.replace(/ with \d+ items$/, '') : name);
}

function named(kind: string, name: string | undefined): AuditObject[] {
  return kind === '' || !name ? [] : [{ kind, name }];
}

/**
 * Opens the object that an entry of the audit trail is about; asks if there are several.
 * @throws {Error} if the entry is about no object, or there is none of that name.
 */
export async function openAuditObject(
  connection: Pick<Connection, 'id' | 'name' | 'client'>,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const objects = auditObjects(row);
  if (objects.length === 0) throw new Error(vscode.l10n.t('This entry is about no object that can be opened.'));
  const server = objectServer(await connection.client());
  const found = await Promise.all(
    objects.map(async (object): Promise<DocumentTarget[]> => {
      if ('setting' in object) return [settingTarget(connection.id, object.setting)];
      const entries = (await findKind(object.kind)?.list?.(server)) ?? [];
      return entries
        .filter((entry) => isNamed(entry, object))
        .map(({ id, name }) => ({ connectionId: connection.id, kind: object.kind, id, name: displayText(name) }));
    }),
  );
  const targets = found.flat();
  const [first] = targets;
  if (!first) {
    const names = objects.map((object) => ('name' in object ? displayText(object.name) : '')).join(', ');
    const words = vscode.l10n.t(
      '{0} shows no {1} now: it was deleted, renamed or never saved, or this account cannot see it.',
      connection.name,
      names,
    );
    throw new Error(words);
  }
  const target = targets.length === 1 ? first : await pickTarget(targets);
  if (!target) return;
  const installation = await server.installation();
  await vscode.commands.executeCommand('analytics.object.open' satisfies CommandId, { ...target, installation });
}

/** Whether a list entry has the name of an audit entry, which for content of the library is its path. */
function isNamed({ id, name }: ObjectEntry, { kind, name: wanted }: { kind: string; name: string }): boolean {
  if (kind === 'server') return id === wanted;
  return name === wanted || (['folder', 'report', 'dashboard'].includes(kind) && wanted.endsWith(`/${name}`));
}

async function pickTarget(targets: readonly DocumentTarget[]): Promise<DocumentTarget | undefined> {
  const items = targets.map((target) => ({
    label: displayText(target.name),
    description: target.id,
    iconPath: new vscode.ThemeIcon(findKind(target.kind)?.icon ?? 'json'),
    target,
  }));
  const title = vscode.l10n.t('Open the Object of the Entry');
  return (await showQuickPick(items, { title }))?.target;
}
