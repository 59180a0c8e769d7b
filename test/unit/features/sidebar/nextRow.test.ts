import { expect, it, vi } from 'vitest';
import { withNextRow } from '../../../../src/features/sidebar/nextRow.ts';

/** A list of rows, and which one was made active. */
function listOf(...names: string[]) {
  const revealed: string[] = [];
  const list = {
    rows: names,
    isVisible: true,
    revealed,
    call: (row: string, command: () => void) =>
      withNextRow(
        {
          view: {
            get visible() {
              return list.isVisible;
            },
            reveal: async (next: string) => void revealed.push(next),
          } as never,
          siblings: () => list.rows,
          idOf: (one: string) => one,
          parentOf: () => 'parent',
        },
        row,
        command,
      ),
    remove: (...gone: string[]) => {
      list.rows = list.rows.filter((row) => !gone.includes(row));
    },
  };
  return list;
}

it.each([
  ['the next row', 'b', ['b'], 'c'],
  ['the next one that is left', 'b', ['b', 'c'], 'd'],
  ['the previous one at the end', 'd', ['d'], 'c'],
  ['the parent when no row is left', 'a', ['a', 'b', 'c', 'd'], 'parent'],
])('makes %s active after a removal', async (_what, row, gone, next) => {
  const list = listOf('a', 'b', 'c', 'd');
  await list.call(row, () => list.remove(...gone));
  expect(list.revealed).toEqual([next]);
});

it('leaves the focus where the row stays, where the view is hidden, and for a row that is not in the list', async () => {
  const list = listOf('a', 'b');
  await list.call('a', () => list.remove('b'));
  await list.call('x', () => undefined);
  list.isVisible = false;
  await list.call('a', () => list.remove('a'));
  expect(list.revealed).toEqual([]);
});

it('does not take the focus long after the last answer', async () => {
  const list = listOf('a', 'b');
  const now = vi.spyOn(Date, 'now');
  await list.call('a', () => {
    list.remove('a');
    now.mockReturnValue(Date.now() + 10_000);
  });
  now.mockRestore();
  expect(list.revealed).toEqual([]);
});
