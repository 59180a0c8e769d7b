import type { PromptValue } from '../../protocol/promptForm.ts';
import type { KeptLayout } from '../grid/columnLayout.ts';

/** What the page keeps while hidden: the host's own keepsake and how the columns are arranged. */
export interface Kept {
  keepsake: unknown;
  layout?: KeptLayout;
  /** What stands in the open form. */
  draft?: PromptValue[];
}

/** Whether `value` is of this form: the page wrote it itself, but perhaps a release ago. */
export function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null || !('keepsake' in value)) return false;
  if ('draft' in value && value.draft !== undefined && !isDraft(value.draft)) return false;
  if (!('layout' in value) || value.layout === undefined) return true;
  const { layout } = value;
  if (typeof layout !== 'object' || layout === null || !('order' in layout) || !('widths' in layout)) return false;
  if ('hidden' in layout && layout.hidden !== undefined && !isNumbers(layout.hidden)) return false;
  if ('frozen' in layout && layout.frozen !== undefined && typeof layout.frozen !== 'number') return false;
  return isNumbers(layout.order) && isNumbers(layout.widths);
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'number');
}

function isDraft(value: unknown): value is PromptValue[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null && 'low' in entry);
}
