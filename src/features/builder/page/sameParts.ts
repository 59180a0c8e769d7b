import type { BuilderDocument } from '../pageContract.ts';

/** The document as it is now, with the very fields of the one before where they say the same: those need not be drawn anew. */
export function withSameFields(before: BuilderDocument, now: BuilderDocument): BuilderDocument {
  const { report } = now;
  const earlier = before.report?.fields ?? [];
  if (report === null) return now;
  const fields = report.fields.map((field, place) => {
    const same = earlier[place];
    return same !== undefined && JSON.stringify(same) === JSON.stringify(field) ? same : field;
  });
  return { ...now, report: { ...report, fields } };
}
