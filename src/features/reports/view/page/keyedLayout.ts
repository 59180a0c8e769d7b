import type { GridColumn } from '../../../../contract/pages/resultsPage.ts';
import type { StoredLayout } from '../../../../webview/grid/columns/columnLayout.ts';
import type { PromptValue } from '../../../../contract/pages/promptForm.ts';

/** How the user arranged the columns of one report, by the columns' keys: numbers mean others when the report changes. */
interface KeyedLayout {
  report: string;
  order: string[];
  /** Widths in pixels, in the order of `order`. */
  widths: number[];
  hidden: string[];
  /** Columns that stay at the left. */
  frozen: string[];
}

/** Reports whose layouts are kept. */
const mostLayouts = 20;

/** Layouts with that of one report, which is the newest then; the oldest ones fall away. */
export function withLayout(
  layouts: readonly KeyedLayout[],
  report: string,
  columns: readonly GridColumn[],
  { order, widths, hidden = [], frozen = 0 }: StoredLayout,
): KeyedLayout[] {
  const keyAt = (column: number) => columns[column]?.key ?? '';
  const shown = order.filter((column) => !hidden.includes(column));
  const layout: KeyedLayout = {
    report,
    order: order.map(keyAt),
    widths: order.map((column) => widths[column] ?? 0),
    hidden: hidden.map(keyAt),
    frozen: shown.slice(0, frozen).map(keyAt),
  };
  return [...layouts.filter((each) => each.report !== report), layout].slice(-mostLayouts);
}

/** The layout of a report for the columns that it has now: new ones come last, what names others falls away. */
export function layoutFor(
  layouts: readonly KeyedLayout[],
  report: string,
  columns: readonly GridColumn[],
): StoredLayout | undefined {
  const kept = layouts.find((each) => each.report === report);
  if (kept === undefined) return undefined;
  const places = new Map(columns.map(({ key }, column) => [key, column]));
  const numbers = (keys: readonly string[]) => keys.flatMap((key) => places.get(key) ?? []);
  const known = numbers(kept.order);
  const widths: (number | undefined)[] = columns.map(({ key }) => kept.widths[kept.order.indexOf(key)]);
  const added = columns.map((_, column) => column).filter((column) => !known.includes(column));
  return {
    order: [...known, ...added],
    widths,
    hidden: numbers(kept.hidden),
    frozen: numbers(kept.frozen).length,
  };
}

/** Whether `value` is a list of layouts: the page wrote it itself, but perhaps a release ago. */
export function areLayouts(value: unknown): value is KeyedLayout[] {
  return Array.isArray(value) && value.every(isLayout);
}

function isLayout(value: unknown): value is KeyedLayout {
  if (typeof value !== 'object' || value === null) return false;
  if (!('report' in value && 'order' in value && 'widths' in value && 'hidden' in value && 'frozen' in value))
    return false;
  const { report, order, widths, hidden, frozen } = value;
  return typeof report === 'string' && [order, hidden, frozen].every(areTexts) && areNumbers(widths);
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function areNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'number');
}

/** What the page keeps while hidden: the host's own keepsake and how the columns of reports are arranged. */
export interface Kept {
  keepsake: unknown;
  layouts?: KeyedLayout[];
  /** What stands in the open form. */
  draft?: { form: number; values: PromptValue[] };
}

/** Whether `value` is of this form: the page wrote it itself, but perhaps a release ago. */
export function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null || !('keepsake' in value)) return false;
  if ('draft' in value && value.draft !== undefined && !isDraft(value.draft)) return false;
  return !('layouts' in value) || value.layouts === undefined || areLayouts(value.layouts);
}

function isDraft(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('form' in value) || !('values' in value)) return false;
  const { form, values } = value;
  if (typeof form !== 'number' || !Array.isArray(values)) return false;
  return values.every((entry) => typeof entry === 'object' && entry !== null && 'low' in entry);
}
