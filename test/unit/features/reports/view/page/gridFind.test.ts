import { expect, it } from 'vitest';
import type { FoundCell } from '../../../../../../src/contract/pages/resultCells.ts';
import { GridFind } from '../../../../../../src/features/reports/view/page/gridFind.ts';
import type { FindState, FindStep } from '../../../../../../src/features/reports/view/page/gridFind.ts';

function setUp() {
  const asked: FindStep[] = [];
  const answers: ((cell: FoundCell | null) => void)[] = [];
  const states: (FindState | undefined)[] = [];
  const done: string[] = [];
  const find = new GridFind(
    (step) => {
      asked.push(step);
      return new Promise((resolve) => answers.push(resolve));
    },
    (state) => void states.push(state),
  );
  find.grid = {
    place: { row: 2, place: 1, columns: [3, 0] },
    goTo: (row, place) => void done.push(`to ${row} ${place}`),
    sayActive: () => void done.push('say'),
    mark: (text) => void done.push(`mark ${text}`),
    focus: () => void done.push('focus'),
  };
  return { find, asked, answers, states, done };
}

it('goes to what is found, and leaves out what was asked before another text was typed', async () => {
  const { find, asked, answers, states, done } = setUp();
  find.open();
  find.type('o');
  find.type('os');
  expect(asked.map(({ text, isFromHere }) => [text, isFromHere])).toEqual([
    ['o', true],
    ['os', true],
  ]);
  answers[0]?.({ row: 9, place: 9, rows: 9 });
  answers[1]?.({ row: 4, place: 0, rows: 7 });
  await new Promise(setImmediate);
  expect(done).toEqual(['mark ', 'mark o', 'mark os', 'to 4 0']);
  expect(states.at(-1)).toMatchObject({ text: 'os', rows: 7 });
});

it('steps either way from the active cell, says what is not there, and gives the grid the focus when it closes', async () => {
  const { find, asked, answers, states, done } = setUp();
  find.step(false);
  expect({ asked, opened: states.at(-1)?.opened }).toEqual({ asked: [], opened: 1 });
  find.type('x');
  find.step(true);
  expect(asked.at(-1)).toEqual({ text: 'x', row: 2, place: 1, columns: [3, 0], isBackward: true, isFromHere: false });
  answers[1]?.(null);
  await new Promise(setImmediate);
  expect(states.at(-1)).toMatchObject({ rows: 0 });
  find.close();
  expect(states.at(-1)).toBeUndefined();
  expect(done.slice(-2)).toEqual(['mark ', 'focus']);
  find.step(false);
  expect(states.at(-1)).toMatchObject({ text: 'x' });
  expect(asked).toHaveLength(3);
});

it('asks again when the view changes under a step, and only counts when it changes later', async () => {
  const { find, asked, answers, states, done } = setUp();
  find.open();
  find.type('1');
  find.viewChanged();
  // The host answers that the view is gone.
  answers[0]?.(null);
  await new Promise(setImmediate);
  expect(states.at(-1)).toMatchObject({ rows: undefined });
  answers[1]?.({ row: 5, place: 1, rows: 3 });
  await new Promise(setImmediate);
  expect([states.at(-1)?.rows, done.at(-1)]).toEqual([3, 'to 5 1']);
  find.viewChanged();
  answers[2]?.({ row: 0, place: 0, rows: 2 });
  await new Promise(setImmediate);
  expect([states.at(-1)?.rows, done.at(-1)]).toEqual([2, 'to 5 1']);
  find.close();
  find.viewChanged();
  expect(asked).toHaveLength(3);
});

it('announces the cell that a step goes to, and none while its text is typed', async () => {
  const { find, answers, done } = setUp();
  find.open();
  find.type('o');
  answers[0]?.({ row: 4, place: 0, rows: 2 });
  await new Promise(setImmediate);
  expect(done.at(-1)).toBe('to 4 0');
  find.step(false);
  answers[1]?.({ row: 6, place: 1, rows: 2 });
  await new Promise(setImmediate);
  expect(done.slice(-2)).toEqual(['to 6 1', 'say']);
});
