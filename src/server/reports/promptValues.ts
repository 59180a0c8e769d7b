import { readOperator, valuesTaken } from '../../contract/operators.ts';
import type { Criteria, Prompt, ReportField } from '../../contract/resources/report.ts';
import { conditionOn, valueTexts } from '../security/rowSecurityConditions.ts';
import type { ColumnKind, SqlValue } from '../security/rowSecurityPredicate.ts';
import { readNumber, readTimeSpan, ValueError } from '../security/rowSecurityValues.ts';
import { kindOfFieldType } from './formulas/expressionKinds.ts';
import { fieldName, readAggregate } from './fieldPlan.ts';
import { ReportError } from './reportError.ts';
import { aggregates } from './sql/functions.ts';

/** Whether a prompt is left out: it is skipped, or may be and has no value. */
export function isLeftOut(row: Criteria, prompt: Prompt): boolean {
  return Boolean(row.bskip) && (Boolean(prompt.isSkipped) || isUnanswered(row, prompt));
}

function isUnanswered(row: Criteria, { LowValue, HighValue }: Prompt): boolean {
  const operator = readOperator(row.Op ?? '');
  const taken = operator ? valuesTaken(operator) : 'none';
  return taken !== 'none' && !LowValue && (taken !== 'two' || !HighValue);
}

/**
 * Why the values of `prompt` do not fit the row that asks; undefined when they do. The type is that of the sent field: the call
 * has no session, so nothing stored is read.
 */
export function promptProblem(field: ReportField, row: Criteria, prompt: Prompt, now: Date): string | undefined {
  const because = (reason: string) => `The prompt "${fieldName(field)}" ${reason}`;
  const operator = readOperator(row.Op ?? '');
  if (!operator) return because(`compares with "${row.Op ?? ''}", which is no operator`);
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
      return because(`has a HighValue, "${clip(high)}", below its LowValue, "${clip(low)}"; exchange them`);
    }
    return undefined;
  } catch (error) {
    if (error instanceof ValueError) return because(`cannot take the value: ${error.message}`);
    throw error;
  }
}

/** What a field holds; undefined where only its formula tells. */
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

/** Whether no value lies between the two. The order of texts is the database's own. */
function isReversed(kind: ColumnKind, low: string, high: string, now: Date): boolean {
  if (kind === 'text') return false;
  if (kind === 'number') return isAbove(readNumber(low), readNumber(high));
  // The caller's day is not known: it may be the one before or after.
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
