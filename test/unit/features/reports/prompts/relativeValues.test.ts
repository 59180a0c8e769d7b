import { expect, it } from 'vitest';
import { emptyPromptValue, type PromptValue } from '../../../../../src/contract/pages/promptForm.ts';
import { promptShape } from '../../../../../src/features/reports/prompts/promptFields.ts';
import { asOfToday, datedDefault, withoutChanged } from '../../../../../src/features/reports/prompts/relativeDates.ts';
import { prompt } from './prompts.ts';

const lastMonth = { expression: '[Last Month]', label: 'Last Month', low: '2026-01-01', high: '2026-01-31' };
const november = new Date(2026, 10, 22);
const between = promptShape(prompt({ type: 'doz', isBetween: true }));
const value = (change: Partial<PromptValue>): PromptValue => ({ ...emptyPromptValue, ...change });

it('moves a range on with the calendar, and remembers where it stands now', () => {
  const kept = value({ low: '2026-01-01', high: '2026-01-31', relative: [lastMonth] });
  expect(asOfToday(between, kept, november)).toEqual(
    value({
      low: '2026-10-01',
      high: '2026-10-31',
      relative: [{ ...lastMonth, low: '2026-10-01', high: '2026-10-31' }],
    }),
  );
});

it('takes the end that the prompt compares with', () => {
  const atMost = promptShape(prompt({ type: 'doz', op: '<=', isLessThan: true }));
  const kept = value({ low: '2026-01-31', relative: [{ ...lastMonth, low: '2026-01-31' }] });
  expect(asOfToday(atMost, kept, november).low).toBe('2026-10-31');
});

it('moves the relative days of a list, and leaves those that were entered', () => {
  const list = promptShape(prompt({ type: 'doz', op: 'in', isInList: true }));
  const yesterday = { expression: '[Yesterday]', label: 'Yesterday', low: '2026-01-14', high: '2026-01-14' };
  const kept = value({ list: ['2026-01-14', '2026-01-02'], relative: [yesterday] });
  expect(asOfToday(list, kept, november).list).toEqual(['2026-11-21', '2026-01-02']);
});

it('keeps days that were changed by hand, those without a relative date, and those it cannot read', () => {
  const changed = value({ low: '2026-01-05', high: '2026-01-31', relative: [lastMonth] });
  const { relative: _, ...entered } = changed;
  expect(asOfToday(between, changed, november)).toEqual(entered);
  expect(withoutChanged(between, changed)).toEqual(entered);
  expect(asOfToday(between, entered, november)).toEqual(entered);
  const odd = value({ low: '2026-01-01', high: '2026-01-31', relative: [{ ...lastMonth, expression: '[Full Moon]' }] });
  expect(asOfToday(between, odd, november)).toEqual(odd);
});

it('fills in defaults that are relative or written as other servers write them, and leaves what it cannot read', () => {
  const october = { low: '2026-10-01', high: '2026-10-31' };
  const relative = [{ expression: '[Last Month]', label: 'Last Month', ...october }];
  for (const high of ['', '[Last Month]']) {
    expect(datedDefault(between, value({ low: '[Last Month]', high }), november)).toEqual(
      value({ ...october, relative }),
    );
  }
  const span = value({ low: '[Last Month]', high: '[Today]' });
  expect(datedDefault(between, span, november)).toEqual(value({ low: '2026-10-01', high: '2026-11-22' }));
  const written = value({ low: '2026-01-05T00:00:00', high: '2026-01-31 08:30' });
  expect(datedDefault(between, written, november)).toEqual(value({ low: '2026-01-05', high: '2026-01-31' }));
  const moments = promptShape(prompt({ type: 'dtz', isBetween: true }));
  expect(datedDefault(moments, written, november)).toEqual(
    value({ low: '2026-01-05 00:00:00', high: '2026-01-31 08:30:00' }),
  );
  const list = promptShape(prompt({ type: 'doz', op: 'in', isInList: true }));
  expect(datedDefault(list, value({ list: ['[Yesterday]', '2026-01-02T00:00:00Z'] }), november)).toEqual(
    value({
      list: ['2026-11-21', '2026-01-02'],
      relative: [{ expression: '[Yesterday]', label: 'Yesterday', low: '2026-11-21', high: '2026-11-21' }],
    }),
  );
  const day = promptShape(prompt({ type: 'doz' }));
  for (const low of ['', '[Last Month]', '31.01.2026']) {
    expect(datedDefault(day, value({ low }), november)).toEqual(value({ low }));
  }
  expect(datedDefault(promptShape(prompt()), value({ low: '[Today]' }), november).low).toBe('[Today]');
});
