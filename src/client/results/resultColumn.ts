/** A column of a result for the panel, sorting and export. API description, Report result. */
export interface ResultColumn {
  /** Key of the column's cells in a row. */
  readonly key: string;
  /** Text of the header: `headerText`, or the key if there is none. */
  readonly header: string;
  /** `yurbitype`: a field type code, if sent by the server. */
  readonly fieldType: string | undefined;
  /** `dataType`. */
  readonly dataType: string | undefined;
  /** `width`, in pixels. */
  readonly width: number | undefined;
  /** `dataFormatString`. */
  readonly format: string | undefined;
  /** `columngroup`. */
  readonly group: string | undefined;
  /** Whether `Columns` lists it; rows may have keys that it does not list. */
  readonly isListed: boolean;
  /** The whole entry of `Columns`, including unlisted fields. */
  readonly source: Readonly<Record<string, unknown>>;
}

/** The entries of a reply's `Columns` that name a key, each key once. Omits fields of undocumented types. */
export function readColumns(columns: unknown): ResultColumn[] {
  if (!Array.isArray(columns)) return [];
  const byKey = new Map<string, ResultColumn>();
  for (const entry of columns as readonly unknown[]) {
    if (!isRecord(entry) || typeof entry.key !== 'string' || byKey.has(entry.key)) continue;
    byKey.set(entry.key, {
      key: entry.key,
      header: textOf(entry.headerText) ?? entry.key,
      fieldType: textOf(entry.yurbitype),
      dataType: textOf(entry.dataType),
      width: typeof entry.width === 'number' ? entry.width : undefined,
      format: textOf(entry.dataFormatString),
      group: textOf(entry.columngroup),
      isListed: true,
      source: entry,
    });
  }
  return [...byKey.values()];
}

/** A column that rows have but `Columns` does not list. */
export function unlistedColumn(key: string): ResultColumn {
  return {
    key,
    header: key,
    fieldType: undefined,
    dataType: undefined,
    width: undefined,
    format: undefined,
    group: undefined,
    isListed: false,
    source: {},
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
