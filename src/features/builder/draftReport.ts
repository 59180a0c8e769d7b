import { operatorFlags, readOperator } from '../../contract/operators.ts';
import type { Criteria, Prompt, Report, ReportField, ReportMetadata } from '../../contract/resources/report.ts';

/** Maximum number of rows in a preview. */
export const previewRows = 50;

/**
 * Prepares an unsaved report for running: with few rows, and with the prompts that the server would return for the
 * saved report. API description, Report metadata.
 */
export function draftMetadata(report: Report): ReportMetadata {
  const top = report.TopN;
  const limit = typeof top === 'number' && top > 0 ? Math.min(top, previewRows) : previewRows;
  const prompts = (report.FieldList ?? []).flatMap((field) =>
    (field.Criteria ?? []).flatMap((row) => (row.bprompt === true ? [promptOf(field, row)] : [])),
  );
  return { Report: { ...report, TopN: limit }, Prompts: prompts.length > 0 ? prompts : null };
}

function promptOf(field: ReportField, row: Criteria): Prompt {
  return {
    HasError: false,
    ErrorCode: 0,
    ErrorMessage: null,
    PromptField: { ...field, Criteria: [row] },
    isSkipable: row.bskip === true,
    ...operatorFlags(readOperator(row.Op ?? '')),
    isSkipped: false,
    LowValue: row.Value1 || null,
    HighValue: row.Value2 || null,
  };
}

/**
 * A prompt for a single value of a field, which the API requires for listing values. API description, GetFieldValues.
 */
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
    ...operatorFlags('='),
    isSkipped: false,
    LowValue: null,
    HighValue: null,
  };
}
