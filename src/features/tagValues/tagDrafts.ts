import type * as vscode from 'vscode';
import * as z from 'zod';
import type { TagTable, TagTableChanges, TagValueChange, TagValueRow } from './pageContract.ts';

const change = z.object({ id: z.string(), from: z.string().nullable(), to: z.string().nullable() });

/** What a page has changed of a tag's values. */
export const tagTableChanges = z.object({
  defaultValue: z.object({ from: z.string(), to: z.string() }).nullable(),
  groups: z.array(change),
  users: z.array(change),
});

/**
 * Values of tags that were typed and not saved. A page cannot be kept from closing, so what was typed there is kept here,
 * over a reload of the window too.
 */
export class TagDrafts {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** What is to be saved of a tag; undefined when nothing is. */
  get(tag: string): TagTableChanges | undefined {
    return tagTableChanges.safeParse(this.#state.get(keyOf(tag))).data;
  }

  /** Keeps what is to be saved of a tag; undefined lets go of it. */
  async keep(tag: string, changes: TagTableChanges | undefined): Promise<void> {
    await this.#state.update(keyOf(tag), changes);
  }
}

/** How many values of a server's tags are typed and not saved. */
export function draftedOf(state: vscode.Memento, connectionId: string): number {
  const changes = state
    .keys()
    .filter((key) => key.startsWith(keyOf(`${connectionId}/`)))
    .map((key) => tagTableChanges.safeParse(state.get(key)).data);
  return changes.reduce((sum, change) => sum + (change ? countOf(change) : 0), 0);
}

/** How many values a draft changes. */
export function countOf({ defaultValue, groups, users }: TagTableChanges): number {
  return groups.length + users.length + (defaultValue ? 1 : 0);
}

/**
 * The table as it was when the draft was typed, so that saving still refuses what somebody else has changed since; and what
 * there still is to change in it.
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
