/**
 * Formats an API timestamp for `language`: with a time zone as local date and time, an expiry (MM/DD/YYYY) as a date.
 * Other formats are returned unchanged, because 03/04/2026 10:00 is ambiguous in date order and time zone. API
 * description, Users, Library items and Applications (ModuleProfile).
 */
export function formatDateTime(text: string, language: string): string {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  if (month !== undefined && day !== undefined && year !== undefined) {
    const written = formatted(`${year}-${month}-${day}T00:00:00Z`, language, { dateStyle: 'medium', timeZone: 'UTC' });
    return written ?? text;
  }
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/.test(text)) return text;
  return formatted(text, language, { dateStyle: 'medium', timeStyle: 'short' }) ?? text;
}

function formatted(iso: string, language: string, style: Intl.DateTimeFormatOptions): string | undefined {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) ? undefined : new Intl.DateTimeFormat(language, style).format(moment);
}
