import { beforeEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import type { ListName } from '../../../../src/client/dialect/lists.ts';
import type { Connection } from '../../../../src/connections/connection.ts';
import { showUnseenForm, unseenFormsKey } from '../../../../src/features/servers/unseenForms.ts';

function memento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, otherwise?: T) => (values.has(key) ? (values.get(key) as T) : otherwise),
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}

const server = (id: string, name: string) => ({ id, name }) as Connection;

beforeEach(() => {
  vi.restoreAllMocks();
});

it('says once per server and list that the server has not been seen to take it', () => {
  const shown = vi.spyOn(vscode.window, 'showInformationMessage');
  const state = memento();
  const tell = (connection: Connection, list: ListName) => showUnseenForm(state, connection, list);
  tell(server('a', 'North'), 'totals');
  tell(server('a', 'North'), 'totals');
  expect(shown).toHaveBeenCalledTimes(1);
  expect(shown.mock.calls[0]?.[0]).toMatch(/^North has no totals in reports yet/);
  tell(server('a', 'North'), 'joins');
  tell(server('b', 'South'), 'totals');
  expect(shown).toHaveBeenCalledTimes(3);
  // A removed server's keys are found by its id.
  expect(state.keys()).toEqual([unseenFormsKey('a'), unseenFormsKey('b')]);
});
