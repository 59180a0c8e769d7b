import { describe, expect, it } from 'vitest';
import type { Prompt, ReportMetadata } from '../../../../src/contract/resources/report.ts';
import { answerPrompt, answerPrompts, promptsOf } from '../../../../src/server/reports/prompts.ts';
import { sqlOf } from '../../../support/reports/runPlan.ts';
import { shopField, shopReport, where } from '../../../support/reports/shopData.ts';

const asks = { bprompt: true };

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
    const answered = answerPrompts({ ...rest, Prompts }, sent);
    expect(answered.Prompts).toEqual(sent);
    expect(sqlOf(answered.Report ?? {}).values).toEqual(answeredValues);
  });

  it('are answered one by one, in any order, two of one field too', () => {
    let current: ReportMetadata = metadata();
    for (const index of [4, 2, 0, 1, 3]) {
      current = answerPrompt(current, { ...metadata().Prompts[index], ...answers[index] });
    }
    expect(sqlOf(current.Report ?? {}).values).toEqual(answeredValues);
    expect(current.Prompts).toEqual(metadata().Prompts);
  });

  it('can be answered again', () => {
    const first = answerPrompt(metadata(), { ...metadata().Prompts[1], LowValue: '1' });
    const second = answerPrompt(first, { ...metadata().Prompts[1], LowValue: '2' });
    expect(second.Report?.FieldList?.[1]?.Criteria?.[0]).toMatchObject({ Value1: '2', flags: 'set' });
  });

  it('keep unknown fields and leave the sent object alone', () => {
    const sent = { ...metadata(), Extra: { kept: true } };
    const before = structuredClone(sent);
    expect(answerPrompt(sent, { ...sent.Prompts[1], LowValue: '1' })).toMatchObject({ Extra: { kept: true } });
    expect(sent).toEqual(before);
  });

  it.each([
    [[], 'asks for 5 prompts, but 0 were given'],
    [metadata().Prompts, 'The prompt "Pieces" needs a value in LowValue'],
    [metadata().Prompts.map((prompt) => ({ ...prompt, isSkipped: true })), 'The prompt "Pieces" may not be skipped'],
    [
      metadata().Prompts.map((prompt) => ({ ...prompt, LowValue: '1', HighValue: null })),
      'The prompt "Sold On" needs a value in HighValue',
    ],
  ])('refuse answers that do not fit: %#', (prompts, message) => {
    expect(() => answerPrompts(metadata(), prompts)).toThrow(message);
  });

  it('refuse an answer to a field that does not ask', () => {
    const foreign = { PromptField: shopField('s.amount'), LowValue: '1' };
    expect(() => answerPrompt(metadata(), foreign)).toThrow('asks no prompt for "Amount"');
  });
});
