import { errorCodes } from '../../contract/errorCodes.ts';
import { operatorFlags, readOperator, valuesTaken } from '../../contract/operators.ts';
import type { Criteria, Prompt, Report, ReportField, ReportMetadata } from '../../contract/resources/report.ts';
import { promptStates } from './criteriaPlan.ts';
import { fieldName, readAggregate } from './fieldPlan.ts';
import { ReportError } from './reportError.ts';
import { conditionOn, valueTexts } from '../security/rowSecurityConditions.ts';
import type { ColumnKind, SqlValue } from '../security/rowSecurityPredicate.ts';
import { readNumber, readTimeSpan } from '../security/rowSecurityValues.ts';
import { ValueError } from '../../contract/policyValues.ts';
import { kindOfFieldType } from './formulas/expressionKinds.ts';
import { aggregates } from './sql/functions.ts';

/** Location of a prompt in a report: its field and its criteria row. */
interface PromptPlace {
  field: ReportField;
  fieldPosition: number;
  row: Criteria;
  rowPosition: number;
}

/** The prompts of a report in display order: by field, then by row. */
function promptPlaces(report: Report): PromptPlace[] {
  return (report.FieldList ?? []).flatMap((field, fieldPosition) =>
    (field.Criteria ?? []).flatMap((row, rowPosition) =>
      row.bprompt ? [{ field, fieldPosition, row, rowPosition }] : [],
    ),
  );
}

/**
 * The prompts that a report shows at run time, or null if it has none. A prompt's field has only the criteria row with
 * the prompt. API description, Prompt.
 */
export function promptsOf(report: Report): Prompt[] | null {
  const prompts = promptPlaces(report).map(({ field, row }) => promptOf(field, row));
  return prompts.length > 0 ? prompts : null;
}

function promptOf(field: ReportField, row: Criteria): Prompt {
  const operator = readOperator(row.Op ?? '');
  const problem = operator ? undefined : `"${row.Op ?? ''}" is not an operator`;
  return {
    HasError: problem !== undefined,
    ErrorCode: problem ? errorCodes.notCompleted : errorCodes.success,
    ErrorMessage: problem ?? null,
    PromptField: { ...field, Criteria: [row] },
    isSkipable: Boolean(row.bskip),
    ...operatorFlags(operator),
    isSkipped: row.flags === promptStates.skipped,
    LowValue: row.Value1 || null,
    HighValue: row.Value2 || null,
  };
}

/**
 * Compiles the values of `prompts` into the report's criteria, matching prompts and criteria rows with a prompt by
 * position. Returns the prompts as given, each with HasError if its values are invalid: the report then does not run.
 * API description, ReplacePromptCollection.
 * @throws {ReportError} when the number of prompts differs from the report's.
 */
export function answerPrompts(metadata: ReportMetadata, prompts: readonly Prompt[], now: Date): ReportMetadata {
  const report = metadata.Report ?? {};
  const places = promptPlaces(report);
  if (places.length !== prompts.length) {
    throw new ReportError(`The report asks for ${places.length} prompts, but ${prompts.length} were given`);
  }
  const answers = places.map((place, index) => ({ place, prompt: prompts[index] ?? {} }));
  const Prompts = answers.map(({ place, prompt }) => judged(prompt, place, prompt, now));
  return { ...metadata, Report: withAnswers(report, answers, now), Prompts };
}

/**
 * Compiles one prompt's value into the report's criteria, into the row with the same prompt for the same field.
 * `Prompts` remains unchanged except for HasError of that prompt. API description, ReplacePrompt.
 * @throws {ReportError} when the report has no such prompt.
 */
export function answerPrompt(metadata: ReportMetadata, prompt: Prompt, now: Date): ReportMetadata {
  const report = metadata.Report ?? {};
  const places = promptPlaces(report);
  const field = prompt.PromptField ?? {};
  const candidates = places.filter((place) => isSameField(place.field, field));
  const asked = field.Criteria?.[0];
  const exact = candidates.filter(({ row }) => row.Index === asked?.Index && sameOperator(row, asked));
  // Two rows may have the same prompt; the value goes to the first one without an answer.
  const place =
    exact.find(({ row }) => row.flags !== promptStates.set && row.flags !== promptStates.skipped) ??
    exact[0] ??
    (candidates.length === 1 ? candidates[0] : undefined);
  if (!place) throw new ReportError(`The report asks no prompt for "${fieldName(field)}"`);
  const at = places.indexOf(place);
  const Prompts = metadata.Prompts?.map((shown, index) => (index === at ? judged(shown, place, prompt, now) : shown));
  return { ...metadata, Report: withAnswers(report, [{ place, prompt }], now), ...(Prompts && { Prompts }) };
}

function isSameField(one: ReportField, other: ReportField): boolean {
  const key = ({ fieldindex, DbTableAlias, DbFieldName, RenamedField, Formula }: ReportField) =>
    JSON.stringify([fieldindex, DbTableAlias, DbFieldName, RenamedField, Formula].map((part) => part ?? ''));
  return key(one) === key(other);
}

function sameOperator(one: Criteria, other: Criteria | undefined): boolean {
  return readOperator(one.Op ?? '') === readOperator(other?.Op ?? '');
}

/** A prompt with its values, and the location that it fills. */
interface Answer {
  place: PromptPlace;
  prompt: Prompt;
}

/** Copies every field only once, regardless of the number of its rows with a value. */
function withAnswers(report: Report, answers: readonly Answer[], now: Date): Report {
  const byField = Map.groupBy(answers, ({ place }) => place.fieldPosition);
  const fields = (report.FieldList ?? []).map((field, position) => {
    const own = byField.get(position);
    if (!own) return field;
    const rows = [...(field.Criteria ?? [])];
    for (const { place, prompt } of own) {
      rows[place.rowPosition] = answeredRow(place, prompt, now);
    }
    return { ...field, Criteria: rows };
  });
  return { ...report, FieldList: fields };
}

function answeredRow({ field, row }: PromptPlace, prompt: Prompt, now: Date): Criteria {
  if (promptProblem(field, row, prompt, now) !== undefined) return { ...row, flags: promptStates.refused };
  if (isLeftOut(row, prompt)) return { ...row, flags: promptStates.skipped };
  const operator = readOperator(row.Op ?? '');
  return {
    ...row,
    Value1: prompt.LowValue ?? row.Value1,
    Value2: operator && valuesTaken(operator) === 'two' ? prompt.HighValue : row.Value2,
    flags: promptStates.set,
  };
}

/** Sets whether a prompt's values are valid. API description, Prompt. */
function judged(shown: Prompt, { field, row }: PromptPlace, sent: Prompt, now: Date): Prompt {
  const problem = promptProblem(field, row, sent, now);
  if (problem === undefined && !shown.HasError) return shown;
  const ErrorCode = problem === undefined ? errorCodes.success : errorCodes.notCompleted;
  return { ...shown, HasError: problem !== undefined, ErrorCode, ErrorMessage: problem ?? null };
}

/** Whether a prompt is omitted: it is skipped, or is optional and has no value. */
function isLeftOut(row: Criteria, prompt: Prompt): boolean {
  return Boolean(row.bskip) && (Boolean(prompt.isSkipped) || isUnanswered(row, prompt));
}

function isUnanswered(row: Criteria, { LowValue, HighValue }: Prompt): boolean {
  const operator = readOperator(row.Op ?? '');
  const taken = operator ? valuesTaken(operator) : 'none';
  return taken !== 'none' && !LowValue && (taken !== 'two' || !HighValue);
}

/**
 * Why the values of `prompt` do not fit its row; undefined if they do. The type is taken from the sent field: the call
 * has no session, so nothing stored is read.
 */
function promptProblem(field: ReportField, row: Criteria, prompt: Prompt, now: Date): string | undefined {
  const because = (reason: string) => `The prompt "${fieldName(field)}" ${reason}`;
  const operator = readOperator(row.Op ?? '');
  if (!operator) return because(`compares with "${row.Op ?? ''}", which is not an operator`);
  if (isLeftOut(row, prompt)) return undefined;
  if (prompt.isSkipped) return because('may not be skipped; give it a value');
  const taken = valuesTaken(operator);
  if (taken !== 'none' && !prompt.LowValue) return because('needs a value in LowValue');
  if (taken === 'two' && !prompt.HighValue) return because('needs a value in HighValue');
  const kind = kindOf(field);
  const [low, high] = [prompt.LowValue ?? '', prompt.HighValue ?? ''];
  try {
    const texts = valueTexts(operator, low, high);
    if (!kind) return undefined;
    conditionOn({ operand: '', kind, today: dayOf(now, 0) }, operator, texts);
    if (taken === 'two' && isReversed(kind, low, high, now)) {
      return because(`has a HighValue, "${clip(high)}", below its LowValue, "${clip(low)}"; swap them`);
    }
    return undefined;
  } catch (error) {
    if (error instanceof ValueError) return because(`cannot take the value: ${error.message}`);
    throw error;
  }
}

/** The kind of a field; undefined if only its formula determines it. */
function kindOf({ Formula, Fieldtype, strGroup }: ReportField): ColumnKind | undefined {
  const own = !Formula?.trim() && Fieldtype && Fieldtype !== 'for' ? kindOfFieldType(Fieldtype) : undefined;
  try {
    const aggregate = readAggregate(strGroup ?? '');
    return aggregate && aggregates[aggregate.name].gives === 'number' ? 'number' : own;
  } catch (error) {
    if (error instanceof ReportError) return undefined;
    throw error;
  }
}

/** Whether no value can lie between the two. The sort order of texts depends on the database. */
function isReversed(kind: ColumnKind, low: string, high: string, now: Date): boolean {
  if (kind === 'text') return false;
  if (kind === 'number') return isAbove(readNumber(low), readNumber(high));
  // The caller's day is unknown: it may be one day earlier or later.
  return [-1, 0, 1].every((shift) => {
    const [from, to] = [low, high].map((text) => readTimeSpan(text, kind, dayOf(now, shift)));
    if (!from || !to) return false;
    return to.before ? !isAbove(to.before, from.from) : isAbove(from.from, to.from);
  });
}

function isAbove(one: SqlValue, other: SqlValue): boolean {
  if (one.type === 'number') return Number(one.text) > Number(other.text);
  return moment(one) > moment(other);
}

function moment({ text }: SqlValue): string {
  return text.length === 'YYYY-MM-DD'.length ? `${text} 00:00:00` : text;
}

function dayOf(now: Date, shift: number): string {
  return new Date(now.getTime() + shift * 86_400_000).toISOString().slice(0, 10);
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
