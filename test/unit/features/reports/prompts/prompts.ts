import type { Prompt } from '../../../../../src/contract/resources/report.ts';

/** A prompt of a report as a server sends it, with what a test is about. */
export function prompt(change: Partial<Prompt> & { name?: string; type?: string; op?: string } = {}): Prompt {
  const { name = 'State', type = 'cha', op = '=', ...rest } = change;
  return {
    HasError: false,
    ErrorCode: 0,
    ErrorMessage: null,
    PromptField: { fieldindex: 1, DisplayFieldName: name, Fieldtype: type, Criteria: [{ Index: 1, Op: op }] },
    isSkipable: false,
    isBetween: false,
    isInList: false,
    isLike: false,
    isGreaterThan: false,
    isLessThan: false,
    isSkipped: false,
    LowValue: null,
    HighValue: null,
    ...rest,
  };
}
