import * as vscode from 'vscode';
import * as z from 'zod';
import { readTagValues, saveTagValues, type TagChange, type TagValue } from '../administration/tagValues.ts';
import { isClientError } from '../client/clientError.ts';
import type { Connection } from '../connections/connection.ts';
import { displayText } from '../connections/displayText.ts';
import { objectServer } from '../objects/objectServer.ts';
import type { TagTable, TagTableChanges, TagValueChange, TagValuesContract } from '../protocol/tagValuesPage.ts';
import type { RequestSchemas } from '../reports/answerRequest.ts';
import { PagePanel } from './pagePanel.ts';
import { tagValuesStrings } from './tagValuesWords.ts';

/** What the panel of a tag's values works with. */
export interface TagValuesPanelOptions {
  connection: Connection;
  extensionUri: vscode.Uri;
  tag: { id: string; name: string };
  /** Values were saved. */
  changed: () => Promise<void>;
}

const change = z.object({ id: z.string(), from: z.string().nullable(), to: z.string().nullable() });
const schemas: RequestSchemas<TagValuesContract> = {
  ready: z.null(),
  save: z.object({
    defaultValue: z.object({ from: z.string(), to: z.string() }).nullable(),
    groups: z.array(change),
    users: z.array(change),
  }),
  reload: z.null(),
  unsaved: z.boolean(),
};

const panels = new Map<string, PagePanel<TagValuesContract>>();

/**
 * Shows the values of a data tag for editing: the default, and what each group and user has instead.
 * @throws {ClientError} when they cannot be read; then no panel opens.
 */
export async function openTagValues(options: TagValuesPanelOptions): Promise<void> {
  const { connection, extensionUri, tag, changed } = options;
  const key = `${connection.id}/${tag.id}`;
  const open = panels.get(key);
  if (open) return open.reveal();
  let first: TagTable | undefined = await read(options);
  const panel = new PagePanel<TagValuesContract>({
    extensionUri,
    viewType: 'analytics.tagValues',
    title: vscode.l10n.t('Values of {0}', displayText(tag.name)),
    icon: 'tag',
    page: 'tagValues',
    schemas,
    handlers: {
      ready: async () => {
        const table = first ?? (await read(options));
        first = undefined;
        return { strings: tagValuesStrings(), table };
      },
      reload: () => told(() => read(options)),
      save: (changes) =>
        told(async () => {
          await save(options, changes);
          const table = await read(options);
          await changed();
          return table;
        }),
      unsaved: (isUnsaved) => {
        panel.markUnsaved(isUnsaved);
        return null;
      },
    },
  });
  panels.set(key, panel);
  panel.onDidDispose(() => panels.delete(key));
}

async function read({ connection, tag }: TagValuesPanelOptions): Promise<TagTable> {
  const client = await connection.client();
  const values = await readTagValues(client, objectServer(client), tag.id);
  return {
    title: vscode.l10n.t('Values of {0} on {1}', `/#${displayText(values.label)}#/`, displayText(connection.name)),
    defaultValue: values.defaultValue,
    groups: values.groups.map(shown),
    users: values.users.map(shown),
  };
}

/** Values are sent back as they are, so only names are made safe to show. */
function shown({ id, name, detail, value }: TagValue): TagValue {
  return { id, name: displayText(name), detail: displayText(detail), value };
}

async function save({ connection, tag }: TagValuesPanelOptions, changes: TagTableChanges): Promise<void> {
  const client = await connection.client();
  const server = objectServer(client);
  const { groups, users } = await readTagValues(client, server, tag.id);
  await saveTagValues(server, tag.id, {
    groups: changes.groups.map((entry) => named(entry, groups)),
    users: changes.users.map((entry) => named(entry, users)),
    ...(changes.defaultValue ? { defaultValue: changes.defaultValue } : {}),
  });
}

function named(entry: TagValueChange, rows: readonly TagValue[]): TagChange {
  return { ...entry, name: rows.find(({ id }) => id === entry.id)?.name ?? entry.id };
}

/** Fails in words that a user can act on. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = displayText(error instanceof Error ? error.message : String(error));
    const words = isClientError(error) && error.remedy !== '' ? `${reason} ${error.remedy}` : reason;
    throw new Error(words, { cause: error });
  }
}
