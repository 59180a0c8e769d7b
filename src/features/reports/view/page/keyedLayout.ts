import type { GridColumn } from '../../../../contract/pages/resultsPage.ts';
import type { StoredLayout } from '../../../../webview/grid/columns/columnLayout.ts';
import type { PromptValue } from '../../../../contract/pages/promptForm.ts';

/** Column layout of a report, by column key: column numbers change when the report changes. */
interface KeyedLayout {
  report: string;
  order: string[];
  /** Widths in pixels, in the order of `order`. */
  widths: number[];
  hidden: string[];
  /** Columns frozen on the left. */
  frozen: string[];
}

/** Maximum number of reports whose layouts are stored. */
const mostLayouts = 20;

/** Adds the layout of a report as the newest one. Removes the oldest ones above the limit. */
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

/** The layout of a report for its current columns: new columns come last, unknown ones are dropped. */
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

/** Whether `value` is a list of layouts. The page wrote it, but possibly in an older version. */
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

/** State that the page saves while hidden: the host's state and the column layouts of reports. */
export interface Kept {
  keepsake: unknown;
  layouts?: KeyedLayout[];
  /** Input in the open form. */
  draft?: { form: number; values: PromptValue[] };
}

/** Whether `value` has this shape. The page wrote it, but possibly in an older version. */
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
