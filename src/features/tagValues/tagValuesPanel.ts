import * as vscode from 'vscode';
import * as z from 'zod';
import { showErrorMessage, showWarningMessage } from '../../editor/messages.ts';
import {
  readTagValues,
  saveTagValues,
  withTagChanges,
  type TagChange,
  type TagChanges,
  type TagValue,
} from './tagValues.ts';
import { accessEffect } from '../../access/rows/accessEffect.ts';
import { changing } from '../../access/rows/accessEdits.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import { isClientError } from '../../client/clientError.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { RefreshedObjects } from '../../editor/commands/services.ts';
import { displayText } from '../../editor/displayText.ts';
import { runInBackground } from '../../editor/progress.ts';
import { objectServer, type ObjectServer } from '../../objects/objectServer.ts';
import type { TagTable, TagTableChanges, TagValueChange, TagValuesContract } from './pageContract.ts';
import type { RequestSchemas } from '../../editor/pages/answerRequest.ts';
import { PagePanel } from '../../editor/pages/pagePanel.ts';
import { countOf, TagDrafts, tagTableChanges, withDraft } from './tagDrafts.ts';

/** Dependencies of the tag values panel. */
export interface TagValuesPanelOptions {
  connection: Connection;
  /** Returns the client while the installation that showed the tag still responds. */
  client: () => Promise<AnalyticsClient>;
  /** Id of that installation. */
  installation: string;
  /** Reports when the server is removed: the panel then closes. */
  connections: Pick<ConnectionStore, 'get' | 'onDidChange'>;
  extensionUri: vscode.Uri;
  tag: { id: string; name: string };
  /** Stores unsaved edits. */
  state: vscode.Memento;
  /** Reports changed groups and users. */
  onDidRefresh: vscode.Event<RefreshedObjects>;
  /** Called after values were saved. */
  changed: () => Promise<void>;
}

const schemas: RequestSchemas<TagValuesContract> = {
  ready: z.null(),
  save: tagTableChanges,
  reload: z.null(),
  mayDiscard: z.number(),
  unsaved: tagTableChanges.nullable(),
};

const panels = new Map<string, PagePanel<TagValuesContract>>();

/**
 * Opens the values of a data tag for editing: the default, and the overrides of groups and users. Restores unsaved
 * edits from before the panel was closed.
 * @throws {ClientError} if they cannot be read; then no panel opens.
 */
export async function openTagValues(options: TagValuesPanelOptions): Promise<void> {
  const { connection, extensionUri, tag, installation, state, changed } = options;
  const place = `${connection.id}/${installation}/${tag.id}`;
  const drafts = new TagDrafts(state);
  const open = panels.get(place);
  if (open) return open.reveal();
  let first: TagTable | undefined = await read(options);
  // Servers may reuse the id of a deleted tag: its draft must not apply to the new tag.
  const key = `${place}/${first.title}`;
  if (drafts.isUnreadable(key)) warnOfUnreadableDraft(options);
  const panel = new PagePanel<TagValuesContract>({
    extensionUri,
    viewType: 'analytics.tagValues',
    title: vscode.l10n.t('Values of {0}', displayText(tag.name)),
    icon: 'tag',
    connectionId: connection.id,
    connections: options.connections,
    page: 'tagValues',
    schemas,
    handlers: {
      ready: async () => {
        const table = first ?? (await read(options));
        first = undefined;
        const draft = drafts.get(key);
        return draft ? withDraft(table, draft) : { table, draft: null };
      },
      reload: () => told(() => read(options)),
      mayDiscard: (count) => mayDiscard(options, count),
      save: (changes) =>
        told(async () => {
          await save(options, changes);
          await drafts.keep(key, undefined);
          const table = await read(options);
          await changed();
          return table;
        }),
      unsaved: async (changes) => {
        panel.markUnsaved(changes !== null);
        await drafts.keep(key, changes ?? undefined);
        return null;
      },
    },
  });
  panels.set(place, panel);
  const refreshes = options.onDidRefresh(({ connectionId, kinds }) => {
    const isShown = !kinds || kinds.some((kind) => kind === 'group' || kind === 'user');
    if (connectionId === connection.id && isShown) panel.tell('changed', null);
  });
  panel.onDidDispose(() => {
    refreshes.dispose();
    panels.delete(place);
    const draft = drafts.get(key);
    // The draft is deleted with its server, as announced before the removal.
    if (draft && options.connections.get(connection.id))
      runInBackground(askAboutDraft(options, drafts, { key, place }, countOf(draft)));
  });
}

/** Does not wait for an answer. */
function warnOfUnreadableDraft({ tag, connection }: TagValuesPanelOptions): void {
  void showWarningMessage(
    vscode.l10n.t(
      'Earlier unsaved changes to the values of {0} on {1} cannot be read: they are damaged, or a later release stored them. The table shows the values of the server.',
      displayText(tag.name),
      displayText(connection.name),
    ),
  );
}

async function mayDiscard({ tag, connection }: TagValuesPanelOptions, count: number): Promise<boolean> {
  const discard = vscode.l10n.t('Discard Changes');
  const place = [displayText(tag.name), displayText(connection.name)] as const;
  const question =
    count === 1
      ? vscode.l10n.t('Discard 1 change to the values of {0} on {1}?', ...place)
      : vscode.l10n.t('Discard {0} changes to the values of {1} on {2}?', count, ...place);
  return (await showWarningMessage(question, { modal: true }, discard)) === discard;
}

/** Reports unsaved changes. They are stored until the table is opened again, unless the user discards them. */
async function askAboutDraft(
  options: TagValuesPanelOptions,
  drafts: TagDrafts,
  { key, place: panelPlace }: { key: string; place: string },
  count: number,
): Promise<void> {
  const reopen = vscode.l10n.t('Open Again');
  const discard = vscode.l10n.t('Discard Changes');
  const { tag, connection } = options;
  const place = [displayText(tag.name), displayText(connection.name)] as const;
  const words =
    count === 1
      ? vscode.l10n.t(
          '1 change to the values of {0} on {1} is not saved. It is kept until you open the values again.',
          ...place,
        )
      : vscode.l10n.t(
          '{0} changes to the values of {1} on {2} are not saved. They reappear when you open the values again.',
          count,
          ...place,
        );
  const answer = await showWarningMessage(words, reopen, discard);
  if (answer === discard && !panels.has(panelPlace)) await drafts.keep(key, undefined);
  if (answer !== reopen) return;
  try {
    await openTagValues(options);
  } catch (error) {
    void showErrorMessage(wordsOf(error));
  }
}

async function read({ connection, client: clientNow, tag }: TagValuesPanelOptions): Promise<TagTable> {
  const client = await clientNow();
  const values = await readTagValues(client, objectServer(client), tag.id);
  return {
    title: vscode.l10n.t('Values of {0} on {1}', `/#${displayText(values.label)}#/`, displayText(connection.name)),
    defaultValue: values.defaultValue,
    groups: values.groups.map(shown),
    users: values.users.map(shown),
  };
}

/** Values are sent back unchanged, so only names are cleaned for display. */
function shown({ id, name, detail, value }: TagValue): TagValue {
  return { id, name: displayText(name), detail: displayText(detail), value };
}

async function save(options: TagValuesPanelOptions, changes: TagTableChanges): Promise<void> {
  const { client: clientNow, tag } = options;
  const client = await clientNow();
  const server = objectServer(client);
  const { groups, users } = await readTagValues(client, server, tag.id);
  const wanted: TagChanges = {
    groups: changes.groups.map((entry) => named(entry, groups)),
    users: changes.users.map((entry) => named(entry, users)),
    ...(changes.defaultValue ? { defaultValue: changes.defaultValue } : {}),
  };
  await confirmValues(options, server, wanted);
  await saveTagValues(server, tag.id, wanted);
}

/** Asks for confirmation if users see more rows with the new values. @throws {Error} if declined. */
export async function confirmValues(
  { tag, connection }: Pick<TagValuesPanelOptions, 'tag' | 'connection'>,
  server: ObjectServer,
  changes: TagChanges,
): Promise<void> {
  const edit = changing('tag', [tag.id], (object) => withTagChanges(object, changes));
  const { lines, givesRows } = await accessEffect(server, edit);
  if (!givesRows) return;
  const send = vscode.l10n.t('Save');
  const question = vscode.l10n.t('Save the values of {0} on {1}?', displayText(tag.name), displayText(connection.name));
  const answer = await showWarningMessage(question, { modal: true, detail: lines.join('\n') }, send);
  if (answer !== send) throw new Error(vscode.l10n.t('The change was not confirmed. Nothing was sent.'));
}

function named(entry: TagValueChange, rows: readonly TagValue[]): TagChange {
  return { ...entry, name: rows.find(({ id }) => id === entry.id)?.name ?? entry.id };
}

/** Rethrows failures with messages that the user can act on. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(wordsOf(error), { cause: error });
  }
}

function wordsOf(error: unknown): string {
  const reason = displayText(error instanceof Error ? error.message : String(error));
  return isClientError(error) && error.remedy !== '' ? `${reason} ${error.remedy}` : reason;
}
