import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ColumnProfile } from '../../../../../src/contract/pages/resultCells.ts';
import { ColumnProfiles } from '../../../../../src/webview/grid/columns/columnProfiles.ts';

const profileOf = (column: number): ColumnProfile => ({
  column,
  title: '',
  typeName: '',
  rows: 1,
  missing: 0,
  distinct: 1,
  isCapped: false,
  kind: 'values',
  bars: [],
  others: 0,
});

describe('profiles of the columns in view', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function open() {
    const asked: number[] = [];
    const arrived: number[] = [];
    const profiles = new ColumnProfiles(({ column }) => void arrived.push(column));
    const ask = async (column: number) => {
      asked.push(column);
      return profileOf(column);
    };
    return { profiles, ask, asked, arrived };
  }

  it('are asked for one after the other, once nothing has moved for a while', async () => {
    const { profiles, ask, asked, arrived } = open();
    profiles.want([0, 1]);
    profiles.begin(ask);
    for (let step = 0; step < 10; step++) {
      await vi.advanceTimersByTimeAsync(200);
      profiles.want([0, 1]);
    }
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual([0, 1]);
    expect(arrived).toEqual([0, 1]);
  });

  it('are asked for once, and those of columns that come into view when they do', async () => {
    const { profiles, ask, asked } = open();
    profiles.begin(ask);
    profiles.want([0]);
    await vi.advanceTimersByTimeAsync(1_000);
    profiles.want([0, 2]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual([0, 2]);
    profiles.forget();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual([0, 2]);
    profiles.begin(ask);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual([0, 2, 0, 2]);
  });
});
