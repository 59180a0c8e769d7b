import type * as vscode from 'vscode';
import * as z from 'zod';
import { ownerOfKey, StoredState, type StoredForm } from '../../connections/storedState.ts';
import type { TagTable, TagTableChanges, TagValueChange, TagValueRow } from './pageContract.ts';

const change = z.object({ id: z.string(), from: z.string().nullable(), to: z.string().nullable() });

/** Changes of a tag's values made on a page. */
export const tagTableChanges = z.object({
  defaultValue: z.object({ from: z.string(), to: z.string() }).nullable(),
  groups: z.array(change),
  users: z.array(change),
});

/** How drafts are stored. */
export const draftForm: StoredForm<TagTableChanges> = {
  version: 1,
  parse: (value) => tagTableChanges.safeParse(value).data,
};

/**
 * Unsaved edits of tag values. Closing a page cannot be prevented, so its edits are stored here, also across a window
 * reload.
 */
export class TagDrafts {
  readonly #state: StoredState<TagTableChanges>;

  constructor(state: vscode.Memento) {
    this.#state = new StoredState(state, draftForm);
  }

  /** The unsaved changes of a tag; undefined if there are none. */
  get(tag: string): TagTableChanges | undefined {
    return this.#state.get(keyOf(tag));
  }

  /** Whether a tag has unsaved changes that are damaged or of another release. */
  isUnreadable(tag: string): boolean {
    return this.#state.isUnreadable(keyOf(tag));
  }

  /** Stores the unsaved changes of a tag; undefined deletes them. */
  async keep(tag: string, changes: TagTableChanges | undefined): Promise<void> {
    await this.#state.update(keyOf(tag), changes);
  }
}

/** Number of unsaved values of a server's tags. */
export function draftedOf(state: vscode.Memento, connectionId: string): number {
  const drafts = new StoredState(state, draftForm);
  const keys = state.keys().filter((key) => key.startsWith(keyOf(`${connectionId}/`)));
  const changes = [...new Set(keys.map(ownerOfKey))].map((key) => drafts.get(key));
  return changes.reduce((sum, change) => sum + (change ? countOf(change) : 0), 0);
}

/** Number of values changed by a draft. */
export function countOf({ defaultValue, groups, users }: TagTableChanges): number {
  return groups.length + users.length + (defaultValue ? 1 : 0);
}

/**
 * The table as it was when the draft was edited, so that saving still detects concurrent changes; and the changes that
 * still apply to it.
 */
export function withDraft(table: TagTable, draft: TagTableChanges): { table: TagTable; draft: TagTableChanges } {
  const { defaultValue } = draft;
  return {
    table: {
      ...table,
      defaultValue: defaultValue ? defaultValue.from : table.defaultValue,
      groups: table.groups.map((row) => asSeen(row, draft.groups)),
      users: table.users.map((row) => asSeen(row, draft.users)),
    },
    draft: { defaultValue, groups: among(draft.groups, table.groups), users: among(draft.users, table.users) },
  };
}

function asSeen(row: TagValueRow, changes: readonly TagValueChange[]): TagValueRow {
  const found = changes.find(({ id }) => id === row.id);
  return found ? { ...row, value: found.from } : row;
}

function among(changes: readonly TagValueChange[], rows: readonly TagValueRow[]): TagValueChange[] {
  return changes.filter(({ id }) => rows.some((row) => row.id === id));
}

function keyOf(tag: string): string {
  return `analytics.tagDraft ${tag}`;
}
