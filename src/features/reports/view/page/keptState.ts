import type { PromptValue } from '../../../../contract/pages/promptForm.ts';
import { areLayouts } from './keyedLayout.ts';
import type { KeyedLayout } from './keyedLayout.ts';

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
