import { idText } from './idText.ts';

/**
 * Ids of the reports that `item_flags` of a dashboard names in the form of the embedded server, each once; undefined
 * for another form, which the API description leaves open. Without zod: the sidebar loads it at activation.
 */
export function reportsInFlags(flags: string | null | undefined): string[] | undefined {
  const ids = listedReports(flags)?.map(idText);
  return ids?.every((id) => id !== '') ? [...new Set(ids)] : undefined;
}

function listedReports(flags: string | null | undefined): readonly unknown[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(flags ?? '');
  } catch {
    // No JSON.
    return undefined;
  }
  const reports = typeof value === 'object' && value !== null && 'reports' in value ? value.reports : undefined;
  return Array.isArray(reports) ? (reports as unknown[]) : undefined;
}
