import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { emptyPromptValue, type PromptValue } from '../../../../../src/contract/pages/promptForm.ts';
import {
  answerPrompts,
  promptDefault,
  promptShape,
  readInList,
  writeInList,
} from '../../../../../src/features/reports/prompts/promptFields.ts';
import { validatePrompts } from '../../../../../src/features/reports/prompts/promptSheet.ts';
import { prompt } from './prompts.ts';

const value = (change: Partial<typeof emptyPromptValue>) => ({ ...emptyPromptValue, ...change });

describe('what the form shows for a prompt', () => {
  it.each([
    [{}, 'equals', 'equals'],
    [{ op: '<>' }, 'equals', 'differs'],
    [{ isBetween: true, op: 'between' }, 'between', 'between'],
    [{ isInList: true, op: 'in' }, 'inList', 'inList'],
    [{ isInList: true, op: 'not in' }, 'inList', 'notInList'],
    [{ isLike: true, op: 'contains' }, 'like', 'contains'],
    [{ isLike: true, op: 'like' }, 'like', 'like'],
    [{ isLike: true, op: 'not like' }, 'like', 'notLike'],
    [{ isLike: true, op: 'does not contain' }, 'like', 'notContains'],
    [{ isGreaterThan: true, op: '>=' }, 'greaterThan', 'atLeast'],
    [{ isGreaterThan: true, op: '' }, 'greaterThan', 'greater'],
    [{ isLessThan: true, op: '<' }, 'lessThan', 'less'],
    [{ op: 'is empty' }, 'none', 'isEmpty'],
    [{ op: 'IS NOT NULL' }, 'none', 'isNotEmpty'],
  ] as const)('%j is %s, %s', (given, mode, comparison) => {
    expect(promptShape(prompt(given))).toMatchObject({ mode, comparison });
  });

  it.each([
    ['cha', 'text'],
    ['num', 'number'],
    ['cur', 'number'],
    ['per', 'number'],
    ['doz', 'date'],
    ['dat', 'datetime'],
    ['dtz', 'datetime'],
    ['udt', 'datetime'],
    ['tsp', 'datetime'],
    ['new', 'text'],
  ])('a field of type %s gets a control for %s', (type, input) => {
    expect(promptShape(prompt({ type })).input).toBe(input);
  });

  it('has two zones where the rows show another one than the server compares in', () => {
    const zones = { stored: 'America/New_York', shown: 'Asia/Kolkata' };
    const zonesOf = (change: object, of = zones) => promptShape(prompt(change), of).zones;
    const unix = { stored: 'UTC', shown: 'Asia/Kolkata' };
    const none = undefined;
    expect(['dat', 'dtz', 'doz', 'udt', 'tsp', 'cha'].map((type) => zonesOf({ type }))).toEqual([
      ...[zones, none, none, unix, none, none],
    ]);
    expect(zonesOf({ type: 'dat', isLike: true })).toBeUndefined();
    expect(zonesOf({ type: 'dat' }, { stored: 'UTC', shown: 'UTC' })).toBeUndefined();
  });

  it('sends a time, and the ends of a range of days, in the zone that the server compares in', () => {
    const zones = { stored: 'America/New_York', shown: 'Asia/Kolkata' };
    const sent = (change: object, given: Partial<PromptValue>) => {
      const [answered] = answerPrompts([prompt({ type: 'dat', ...change })], [value(given)], zones);
      return [answered?.LowValue, answered?.HighValue];
    };
    // In January, New York is ten and a half hours behind Kolkata; in July, nine and a half.
    expect(sent({ isBetween: true }, { low: '2026-01-05', high: '2026-07-05' })).toEqual([
      '2026-01-04 13:30:00',
      '2026-07-05 14:29:59',
    ]);
    expect(sent({ op: '>', isGreaterThan: true }, { low: '2026-01-05' })[0]).toBe('2026-01-05 13:29:59');
    expect(sent({ op: '>=', isGreaterThan: true }, { low: '2026-01-05' })[0]).toBe('2026-01-04 13:30:00');
    expect(sent({}, { low: '2026-01-05 08:00:00' })[0]).toBe('2026-01-04 21:30:00');
    expect(sent({}, { low: '2026-01-05' })[0]).toBe('2026-01-05');
    expect(sent({ isInList: true }, { list: ['2026-01-05', '2026-01-05 08:00:00'] })[0]).toBe(
      '2026-01-05,2026-01-04 21:30:00',
    );
    expect(sent({ type: 'dtz', isBetween: true }, { low: '2026-01-05', high: '2026-01-05' })).toEqual([
      '2026-01-05',
      '2026-01-05 23:59:59',
    ]);
    expect(sent({ type: 'udt' }, { low: '2026-01-05 08:00:00' })[0]).toBe('2026-01-05 02:30:00');
  });

  it('names the field by the best name there is', () => {
    expect(promptShape(prompt({ PromptField: { DisplayFieldName: ' ', RenamedField: 'state_1' } })).name).toBe(
      'state_1',
    );
    expect(promptShape(prompt({ PromptField: null })).name).toBe('');
  });

  it('starts with the default that the server gives', () => {
    expect(promptDefault(prompt({ LowValue: 'CA' }))).toEqual(value({ low: 'CA' }));
    expect(promptDefault(prompt({ isInList: true, LowValue: 'CA,"Oslo, NO"' }))).toEqual(
      value({ list: ['CA', 'Oslo, NO'] }),
    );
    expect(promptDefault(prompt({ isBetween: true, LowValue: '1', HighValue: '9' }))).toEqual(
      value({ low: '1', high: '9' }),
    );
  });
});

describe('what is sent for a prompt', () => {
  it('keeps order, number and every other field', () => {
    const prompts = [prompt({ extra: 7 }), prompt({ name: 'Delay', type: 'num', isGreaterThan: true })];
    const answered = answerPrompts(prompts, [value({ low: 'CA' }), value({ low: '5' })]);
    expect(answered).toEqual([
      { ...prompts[0], LowValue: 'CA', HighValue: null, isSkipped: false },
      { ...prompts[1], LowValue: '5', HighValue: null, isSkipped: false },
    ]);
  });

  it('needs no value where it compares with none, and is skipped only by choice', () => {
    const asked = prompt({ op: 'is null', type: 'dat', isSkipable: true, LowValue: 'CA' });
    expect(promptShape(asked)).toMatchObject({ hasChoices: false });
    expect(validatePrompts([promptShape(asked)], [emptyPromptValue])).toEqual([]);
    const sent = [value({}), value({ isSkipped: true })].map((one) => answerPrompts([asked], [one])[0]);
    expect(sent).toMatchObject([
      { isSkipped: false, LowValue: null, HighValue: null },
      { isSkipped: true, LowValue: null, HighValue: null },
    ]);
  });

  it('takes a list with what was typed last', () => {
    const [answered] = answerPrompts([prompt({ isInList: true })], [value({ list: ['CA', 'a,b'], low: ' TX ' })]);
    expect(answered).toMatchObject({ LowValue: 'CA,"a,b",TX', HighValue: null });
  });

  it('means the whole last day of a range of moments', () => {
    const ends = value({ low: '2001-01-01', high: '2001-03-31' });
    const sent = (type: string) => answerPrompts([prompt({ type, isBetween: true })], [ends])[0];
    expect(sent('dtz')).toMatchObject({ LowValue: '2001-01-01', HighValue: '2001-03-31 23:59:59' });
    expect(sent('doz')).toMatchObject({ LowValue: '2001-01-01', HighValue: '2001-03-31' });
  });

  it('means the whole day by a limit that includes it, or lies above it', () => {
    const sent = (change: Parameters<typeof prompt>[0]) =>
      answerPrompts([prompt({ type: 'dtz', ...change })], [value({ low: '2001-03-31' })])[0]?.LowValue;
    expect(sent({ isLessThan: true, op: '<=' })).toBe('2001-03-31 23:59:59');
    expect(sent({ isGreaterThan: true, op: '>' })).toBe('2001-03-31 23:59:59');
    expect(sent({ isGreaterThan: true, op: '>=' })).toBe('2001-03-31');
    expect(sent({ isLessThan: true, op: '<' })).toBe('2001-03-31');
    expect(sent({ isLessThan: true, op: '<=', type: 'doz' })).toBe('2001-03-31');
  });

  it('skips only what may be skipped', () => {
    const skipped = value({ low: 'CA', isSkipped: true });
    const sent = (isSkipable: boolean) => answerPrompts([prompt({ isSkipable })], [skipped])[0];
    expect(sent(true)).toMatchObject({ isSkipped: true, LowValue: null });
    expect(sent(false)).toMatchObject({ isSkipped: false, LowValue: 'CA' });
  });

  it('skips what may be skipped and was left empty', () => {
    expect(answerPrompts([prompt({ isSkipable: true })], [value({})])[0]).toMatchObject({ isSkipped: true });
  });
});

describe('checking values before they are sent', () => {
  const faults = (given: Parameters<typeof prompt>[0], entered: Partial<typeof emptyPromptValue>) =>
    validatePrompts([promptShape(prompt(given))], [value(entered)]).map(({ part, fault }) => `${part} ${fault}`);

  it('wants a value where there must be one', () => {
    expect(faults({}, {})).toEqual(['low missing']);
    expect(faults({}, { low: '  ' })).toEqual(['low missing']);
    expect(faults({ isBetween: true }, { low: 'a' })).toEqual(['high missing']);
    expect(faults({ isInList: true }, {})).toEqual(['list missing']);
    expect(faults({ isInList: true }, { low: 'typed' })).toEqual([]);
    expect(faults({ isSkipable: true }, {})).toEqual([]);
    expect(faults({ isSkipable: true, isBetween: true }, { low: '1' })).toEqual(['high missing']);
  });

  it('does not let a prompt be skipped that must be answered', () => {
    expect(faults({}, { isSkipped: true })).toEqual(['low missing']);
  });

  it.each(['5', '-5', '+.5', '1e3', ' 7 '])('takes %j for a number', (low) => {
    expect(faults({ type: 'num' }, { low })).toEqual([]);
  });

  it.each(['five', '1,000', '0x10', 'NaN', '1 2', '--1'])('does not take %j for a number', (low) => {
    expect(faults({ type: 'num' }, { low })).toEqual(['low notANumber']);
  });

  it.each(['2024-02-29', '2024-02-29 08:30:00'])('takes %s for a date', (low) => {
    expect(faults({ type: 'dtz' }, { low })).toEqual([]);
  });

  it.each(['2023-02-29', '2024-13-01', '29.2.2024', '2024-02-29 25:00:00', '[Today]'])(
    'does not take %s for a date',
    (low) => expect(faults({ type: 'dtz' }, { low })).toEqual(['low notADate']),
  );

  it('finds ranges that end before they begin', () => {
    expect(faults({ type: 'num', isBetween: true }, { low: '10', high: '9' })).toEqual(['high reversed']);
    expect(faults({ type: 'doz', isBetween: true }, { low: '2024-03-01', high: '2024-02-01' })).toEqual([
      'high reversed',
    ]);
    expect(faults({ type: 'dtz', isBetween: true }, { low: '2024-03-01 10:00:00', high: '2024-03-01' })).toEqual([]);
    expect(faults({ isBetween: true }, { low: 'b', high: 'a' })).toEqual([]);
  });

  it('names the value of a list that is wrong', () => {
    const [found] = validatePrompts(
      [promptShape(prompt({ type: 'num', isInList: true }))],
      [value({ list: ['1', 'x'] })],
    );
    expect(found).toEqual({ index: 0, part: 'list', fault: 'notANumber', text: 'x' });
  });

  it('misses no prompt when values are lacking', () => {
    expect(validatePrompts([promptShape(prompt())], [])).toHaveLength(1);
  });
});

describe('lists in a prompt', () => {
  it('writes plain values plainly and quotes what a comma would tear apart', () => {
    expect(writeInList(['CA', 'TX'])).toBe('CA,TX');
    expect(writeInList(['Oslo, NO', 'the "Big" one', "O'Hare", ' x '])).toBe(
      '"Oslo, NO","the ""Big"" one","O\'Hare"," x "',
    );
  });

  it('reads what it wrote', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (values) => {
        expect(readInList(writeInList(values))).toEqual(values);
      }),
    );
  });

  it('reads lists that others wrote', () => {
    expect(readInList("'CA', 'TX'")).toEqual(['CA', 'TX']);
    expect(readInList(' CA , TX ,, NY ')).toEqual(['CA', 'TX', 'NY']);
    expect(readInList('')).toEqual([]);
  });

  it('does not give up on a quote that is never closed', () => {
    expect(readInList('"a, b')).toEqual(['"a', 'b']);
  });
});
