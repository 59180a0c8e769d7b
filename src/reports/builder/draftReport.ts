import type { Criteria, Prompt, Report, ReportField, ReportMetadata } from '../../contract/resources/report.ts';

/** Rows of a preview at most. */
export const previewRows = 50;

/**
 * A report that is not saved, ready to run: with few rows, and with the prompts that the server would ask for the saved one.
 * API description, Report metadata.
 */
export function draftMetadata(report: Report): ReportMetadata {
  const top = report.TopN;
  const limit = typeof top === 'number' && top > 0 ? Math.min(top, previewRows) : previewRows;
  const prompts = (report.FieldList ?? []).flatMap((field) =>
    (field.Criteria ?? []).flatMap((row) => (row.bprompt === true ? [promptOf(field, row)] : [])),
  );
  return { Report: { ...report, TopN: limit }, Prompts: prompts.length > 0 ? prompts : null };
}

const flags = {
  isBetween: ['between', 'not between', 'is between', 'is not between'],
  isInList: ['in', 'not in', 'in list', 'not in list', 'is in list', 'one of', 'none of'],
  isLike: [
    'like',
    'not like',
    'contains',
    'not contains',
    'does not contain',
    'starts with',
    'begins with',
    'ends with',
  ],
  isGreaterThan: ['>', '>=', 'greater than', 'at least', 'after'],
  isLessThan: ['<', '<=', 'less than', 'at most', 'before'],
} as const;

function promptOf(field: ReportField, row: Criteria): Prompt {
  const operator = (row.Op ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  const is = (names: readonly string[]) => names.includes(operator);
  return {
    HasError: false,
    ErrorCode: 0,
    ErrorMessage: null,
    PromptField: { ...field, Criteria: [row] },
    isSkipable: row.bskip === true,
    isBetween: is(flags.isBetween),
    isInList: is(flags.isInList),
    isLike: is(flags.isLike),
    isGreaterThan: is(flags.isGreaterThan),
    isLessThan: is(flags.isLessThan),
    isSkipped: false,
    LowValue: row.Value1 || null,
    HighValue: row.Value2 || null,
  };
}

/** A prompt that asks for one value of a field, which is how the API lists values. API description, GetFieldValues. */
export function valuePrompt(field: ReportField): Prompt {
  const row = {
    Index: 1,
    Field: field.DisplayFieldName,
    Op: '=',
    Value1: '',
    Value2: '',
    Logical: 'AND',
    bprompt: true,
  };
  return {
    HasError: false,
    ErrorCode: 0,
    ErrorMessage: null,
    PromptField: { ...field, Criteria: [row] },
    isSkipable: true,
    isBetween: false,
    isInList: false,
    isLike: false,
    isGreaterThan: false,
    isLessThan: false,
    isSkipped: false,
    LowValue: null,
    HighValue: null,
  };
}
