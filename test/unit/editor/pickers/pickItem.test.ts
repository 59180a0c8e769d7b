import { describe, expect, it } from 'vitest';
import * as vscode from 'vscode';
import { activeRow, passesFilter } from '../../../../src/editor/pickers/pickItem.ts';

it.each([
  ['', true],
  ['North', true],
  [' viewer ', true],
  ['user · n', true],
  ['south', false],
])('a row that a list filters out does not stay active: "%s"', (text, isShown) => {
  expect(passesFilter({ label: 'north.viewer', description: 'user · North Viewer' }, text)).toBe(isShown);
  expect(passesFilter({ label: 'north.viewer', alwaysShow: true }, text)).toBe(true);
});

describe('the row that Enter takes', () => {
  const [viewer, author, admin] = ['north.viewer', 'north.author', 'admin'].map((label) => ({ label }));

  /** A list in which the editor reported no active row. */
  function listOf(text: string): vscode.QuickPick<vscode.QuickPickItem> {
    const pick = vscode.window.createQuickPick();
    pick.items = [viewer, author, admin].filter((item) => item !== undefined);
    pick.activeItems = [];
    pick.value = text;
    return pick;
  }

  it('is the active one', () => {
    const pick = listOf('north');
    pick.activeItems = pick.items.slice(1, 2);
    expect(activeRow(pick)).toBe(author);
  });

  it('is the only one that the list shows, where none is reported as active', () => {
    expect(activeRow(listOf('view'))).toBe(viewer);
  });

  it.each(['north', 'south', ''])('is none where none is reported and "%s" does not leave exactly one', (text) => {
    expect(activeRow(listOf(text))).toBeUndefined();
  });
});
