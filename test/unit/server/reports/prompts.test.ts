import { describe, expect, it } from 'vitest';
import type { Prompt, ReportMetadata } from '../../../../src/contract/resources/report.ts';
import { answerPrompt, answerPrompts, promptsOf } from '../../../../src/server/reports/prompts.ts';
import { sqlOf } from '../../../support/reports/runPlan.ts';
import { shopField, shopReport, where } from '../../../support/reports/shopData.ts';

const asks = { bprompt: true };
const now = new Date('2026-03-19T12:00:00Z');

function metadata(): ReportMetadata & { Prompts: Prompt[] } {
  const Report = shopReport([
    shopField('s.note', { Criteria: [where('like', '', { ...asks, bskip: true }), where('<>', 'x')] }),
    shopField('s.pieces', { Criteria: [where('>', '', asks), where('<=', '', { ...asks, Index: 1 })] }),
    shopField('s.sold_on', { Criteria: [where('between', '2026-01-01', { ...asks, Value2: '2026-01-31' })] }),
    shopField('st.region', { Criteria: [where('in list', '', { ...asks, bskip: true })] }),
  ]);
  return { Report, Prompts: promptsOf(Report) ?? [] };
}

const answers: Partial<Prompt>[] = [
  { isSkipped: true },
  { LowValue: '1' },
  { LowValue: '9' },
  { LowValue: '2026-02-01', HighValue: '[Today]' },
  { LowValue: "North, 'South, West'" },
];
const answeredValues = [
  'text x',
  'number 1',
  'number 9',
  'date 2026-02-01',
  'date 2026-03-19',
  'text North',
  'text South, West',
];

describe('prompts', () => {
  it('are null when nothing asks', () => {
    expect(promptsOf(shopReport([shopField('s.note', { Criteria: [where('=', 'a')] })]))).toBeNull();
  });

  it('carry the flags of their operators and their defaults', () => {
    const flags = metadata().Prompts.map((prompt) =>
      Object.entries(prompt).flatMap(([key, value]) => (key.startsWith('is') && value === true ? [key] : [])),
    );
    expect(flags).toEqual([
      ['isSkipable', 'isLike'],
      ['isGreaterThan'],
      ['isLessThan'],
      ['isBetween'],
      ['isSkipable', 'isInList'],
    ]);
    expect(metadata().Prompts[3]).toMatchObject({ HasError: false, LowValue: '2026-01-01', HighValue: '2026-01-31' });
    expect(metadata().Prompts[0]?.LowValue).toBeNull();
  });

  it('are answered by position', () => {
    const { Prompts, ...rest } = metadata();
    const sent = Prompts.map((prompt, index) => ({ ...prompt, ...answers[index] }));
    const answered = answerPrompts({ ...rest, Prompts }, sent, now);
    expect(answered.Prompts).toEqual(sent);
    expect(sqlOf(answered.Report ?? {}).values).toEqual(answeredValues);
  });

  it('are answered one by one, in any order, two of one field too', () => {
    let current: ReportMetadata = metadata();
    for (const index of [4, 2, 0, 1, 3]) {
      current = answerPrompt(current, { ...metadata().Prompts[index], ...answers[index] }, now);
    }
    expect(sqlOf(current.Report ?? {}).values).toEqual(answeredValues);
    expect(current.Prompts).toEqual(metadata().Prompts);
  });

  it('can be answered again', () => {
    const first = answerPrompt(metadata(), { ...metadata().Prompts[1], LowValue: '1' }, now);
    const second = answerPrompt(first, { ...metadata().Prompts[1], LowValue: '2' }, now);
    expect(second.Report?.FieldList?.[1]?.Criteria?.[0]).toMatchObject({ Value1: '2', flags: 'set' });
  });

  it('keep unknown fields and leave the sent object alone', () => {
    const sent = { ...metadata(), Extra: { kept: true } };
    const before = structuredClone(sent);
    expect(answerPrompt(sent, { ...sent.Prompts[1], LowValue: '1' }, now)).toMatchObject({ Extra: { kept: true } });
    expect(sent).toEqual(before);
  });

  it('refuse another number of answers than the report asks for', () => {
    expect(() => answerPrompts(metadata(), [], now)).toThrow('asks for 5 prompts, but 0 were given');
  });

  it('refuse an answer to a field that does not ask', () => {
    const foreign = { PromptField: shopField('s.amount'), LowValue: '1' };
    expect(() => answerPrompt(metadata(), foreign, now)).toThrow('asks no prompt for "Amount"');
  });
});

describe('a prompt whose values are no answer', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`).join();
  const cases: [string, string, string, Partial<Prompt>, string | undefined][] = [
    ['text for a number', 's.pieces', '>', { LowValue: 'abc' }, 'is not a number'],
    ['a number', 's.pieces', '>', { LowValue: '-1.5' }, undefined],
    ['text in a list of numbers', 's.pieces', 'in', { LowValue: '1, 2, x' }, 'is not a number'],
    ['text for a date', 's.sold_on', '=', { LowValue: 'soon' }, 'is not a date'],
    ['the 30th of February', 's.sold_on', '=', { LowValue: '2026-02-30' }, 'is not a calendar day'],
    ['an unknown relative date', 's.sold_on', '=', { LowValue: '[Last Fortnight]' }, 'is not a relative date'],
    ['a relative date', 's.sold_on', '=', { LowValue: '[Last Month]' }, undefined],
    ['LIKE on numbers', 's.pieces', 'like', { LowValue: '1%' }, 'compare text only'],
    ['an open quote', 's.note', 'in', { LowValue: "'a, b" }, 'an unclosed quote'],
    ['too many values', 's.note', 'in', { LowValue: many(10_001) }, 'more than 10000 values'],
    ['as many as it takes', 's.note', 'in', { LowValue: many(10_000) }, undefined],
    ['skipping what must be answered', 's.pieces', '=', { isSkipped: true }, 'may not be skipped'],
    ['no value', 's.pieces', '=', { LowValue: '' }, 'needs a value in LowValue'],
    ['one end', 's.pieces', 'between', { LowValue: '1' }, 'needs a value in HighValue'],
    ['high below low', 's.pieces', 'between', { LowValue: '10', HighValue: '9' }, 'below its LowValue'],
    ['the same twice', 's.pieces', 'between', { LowValue: '9', HighValue: '9.0' }, undefined],
    ['an earlier day', 's.sold_on', 'between', { LowValue: '2026-01-02', HighValue: '2026-01-01' }, 'below'],
    ['one day', 's.sold_on', 'between', { LowValue: '2026-01-02', HighValue: '2026-01-02' }, undefined],
    [
      'a time in the day that ends',
      's.sold_on',
      'between',
      { LowValue: '2026-01-02 13:00', HighValue: '2026-01-02' },
      undefined,
    ],
    ['a day that may be today', 's.sold_on', 'between', { LowValue: '2026-03-20', HighValue: '[Today]' }, undefined],
    ['a day far from today', 's.sold_on', 'between', { LowValue: '2026-03-25', HighValue: '[Today]' }, 'below'],
    ['texts in an order of the database’s', 's.note', 'between', { LowValue: 'b', HighValue: 'a' }, undefined],
  ];

  it.each(cases)('says so: %s', (_, name, op, values, message) => {
    // A default must not take the place of what was refused.
    const defaults = { Value1: op === 'like' || name === 's.note' ? 'a' : name === 's.pieces' ? '1' : '2026-01-01' };
    const row = where(op, '', { ...asks, ...defaults, Value2: defaults.Value1 });
    const Report = shopReport([shopField(name, { Criteria: [row] }), shopField('st.region')]);
    const [prompt] = promptsOf(Report) ?? [];
    const sent = { ...prompt, LowValue: null, HighValue: null, ...values };
    const whole = answerPrompts({ Report, Prompts: [sent] }, [sent], now);
    const single = answerPrompt({ Report, Prompts: [prompt ?? {}] }, sent, now);
    for (const { Prompts, Report: answered } of [whole, single]) {
      if (message === undefined) {
        expect(Prompts?.[0]).toMatchObject({ HasError: false, ErrorCode: 0 });
        expect(() => sqlOf(answered ?? {})).not.toThrow();
        continue;
      }
      expect(Prompts?.[0]).toMatchObject({ HasError: true, ErrorCode: 9001 });
      expect(Prompts?.[0]?.ErrorMessage).toContain(message);
      expect(() => sqlOf(answered ?? {}), 'the report does not run').toThrow('not given a valid value');
    }
  });

  it('says so for each of several, and not any more once it is answered', () => {
    const { Prompts, ...rest } = metadata();
    const sent = Prompts.map((prompt, index) => ({ ...prompt, ...answers[index] }));
    const wrong = sent.map((prompt, index) => (index === 1 || index === 3 ? { ...prompt, LowValue: 'x' } : prompt));
    const refused = answerPrompts({ ...rest, Prompts }, wrong, now);
    expect(refused.Prompts?.map(({ HasError }) => HasError)).toEqual([false, true, false, true, false]);
    const again = (refused.Prompts ?? []).map((prompt, index) => ({ ...prompt, ...answers[index] }));
    const answered = answerPrompts(refused, again, now);
    expect(answered.Prompts).toEqual(sent);
    expect(sqlOf(answered.Report ?? {}).values).toEqual(answeredValues);
  });
});
