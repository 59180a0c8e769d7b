import fc from 'fast-check';
import { applyEdits } from 'jsonc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/contract/resources/report.ts';
import { documentText } from '../../src/features/documents/files/documentText.ts';
import { editableView } from '../../src/objects/merge/editableView.ts';
import { isJsonObject, parseExact, type JsonObject } from '../../src/objects/json.ts';
import { reportKind } from '../../src/objects/kinds/libraryKinds.ts';
import type { BuilderEdit } from '../../src/features/builder/pageContract.ts';
import { readReport } from '../../src/features/builder/readReport.ts';
import { reportEdits } from '../../src/features/builder/edits/reportEdits.ts';
import { flightReports } from '../../src/server/sample/flightReports.ts';
import { sampleDefinition, type StoredSampleReport } from '../../src/server/sample/sampleReport.ts';
import { strikeReports } from '../../src/server/sample/strikeReports.ts';
import { ReportError } from '../../src/server/reports/reportError.ts';
import { arbitraryReport } from '../support/reports/arbitraryReport.ts';
import { figure } from '../support/run/figure.ts';
import { MemoryDatabase } from '../support/reports/memoryDatabase.ts';
import { plan, rowsOf, sqlOf } from '../support/reports/runPlan.ts';
import { sentAgain } from '../support/reports/sentAgain.ts';
import { type ShopData, writeShop } from '../support/reports/shopData.ts';
import { propertyRuns } from '../support/run/soakSize.ts';

const runs = propertyRuns(300, 10_000);
const context = { outputClass: () => undefined };

const sale = { id: 1, store_id: 1, clerk_id: 1, amount: 2.5, pieces: 3, ratio: 0.5, sold_on: '2026-02-28' };
const shop: ShopData = {
  sales: [
    { ...sale, sold_at: '2026-02-28 10:30:00', note: 'a', tenant: 'North' },
    { ...sale, id: 2, amount: -3, pieces: 9007199254740993n, note: '50%_', tenant: 'South' },
    { ...sale, id: 3, store_id: null, amount: null, sold_on: '2026-03-18', note: null, tenant: 'North' },
  ],
  stores: [{ id: 1, name: 'A', region: 'North', opened: '2026-01-01', tenant: 'North' }],
  clerks: [{ id: 1, name: 'B', level: 2, tenant: 'North' }],
};

/** A report as a server of another release may send it: with fields of its own, and numbers that JavaScript would change. */
const served = fc
  .tuple(arbitraryReport, fc.bigInt({ min: 2n ** 53n, max: 2n ** 62n }), fc.string())
  .map(([report, big, note]): JsonObject => {
    const whole = { ReportID: '7', DbPass: '', Revision: 3, ...report, UnlistedNote: note };
    const full = parseExact(`${JSON.stringify(whole).slice(0, -1)},"Unlisted":${big},"Share":1.0}`);
    return isJsonObject(full) ? full : expect.fail('no object');
  });

/** The SQL of a report, or why there is none. */
function sqlOrReason(report: Report): string {
  try {
    return JSON.stringify(sqlOf(report));
  } catch (error) {
    if (error instanceof ReportError) return error.message;
    throw error;
  }
}

describe('a report that is opened in the builder and saved without an edit', () => {
  let database: MemoryDatabase;
  beforeAll(async () => {
    database = await MemoryDatabase.open();
    await writeShop(database.connection, 'shop', shop);
    await database.connection.run('USE shop');
  });
  afterAll(() => database.close());

  /** The rows of a report, or why there are none. */
  async function rowsOrReason(report: Report): Promise<string> {
    try {
      const { select } = plan(report);
      // Their order is free where the report does not sort.
      const rows = (await rowsOf(database, select)).map((row) => JSON.stringify(row));
      return JSON.stringify(rows.toSorted());
    } catch (error) {
      return error instanceof Error ? error.message : expect.fail('no error');
    }
  }

  it('is sent to the byte as it came, for any report, and runs to the same rows', async () => {
    let valid = 0;
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(served, async (full) => {
        const sent = sentAgain(full);
        expect(JSON.stringify(sent)).toBe(JSON.stringify(full));
        const before = sqlOrReason(JSON.parse(JSON.stringify(full)) as Report);
        expect(sqlOrReason(JSON.parse(JSON.stringify(sent)) as Report)).toBe(before);
        if (!before.startsWith('{')) return;
        valid += 1;
        const shown = await rowsOrReason(JSON.parse(JSON.stringify(full)) as Report);
        expect(await rowsOrReason(JSON.parse(JSON.stringify(sent)) as Report)).toBe(shown);
        if (shown.startsWith('["{')) rows += 1;
      }),
      { numRuns: runs },
    );
    expect(valid).toBeGreaterThan(runs / 4);
    expect(rows).toBeGreaterThan(runs / 20);
    figure(
      'builder',
      `${runs} random reports opened and saved without an edit: 0 differ on the wire; ${valid} of them run, 0 to other rows`,
    );
  });

  it('is sent as it came, for every report of the sample', () => {
    const stored = new Map<string, StoredSampleReport>();
    const application = { name: 'Sample', moduleType: 'ANYDB', serverName: 'Sample' };
    for (const report of [...flightReports, ...strikeReports]) {
      const definition = parseExact(JSON.stringify(sampleDefinition(report, application, stored)));
      stored.set(report.key, { id: String(stored.size + 1), name: report.name });
      const full = isJsonObject(definition) ? definition : expect.fail('no object');
      expect(JSON.stringify(sentAgain(full))).toBe(JSON.stringify(full));
    }
    expect(stored.size).toBeGreaterThan(20);
    figure('builder', `${stored.size} reports of the sample opened and saved without an edit: 0 differ on the wire`);
  });
});

describe('an edit and its opposite', () => {
  /** Steps that lead there and back, as far as the report has what they name. */
  function thereAndBack(text: string, place: number, other: number): [BuilderEdit, BuilderEdit][] {
    const { fields, totals, links } = readReport(text);
    const from = place % fields.length;
    const to = other % fields.length;
    const field = fields[from];
    if (!field) return [];
    const { index } = field;
    const first = field.criteria[0];
    // What calls a field by its header follows a new name, and keeps what it calls it by then.
    const called = [
      ...totals.flatMap(({ field1, field2 }) => [field1, field2]),
      ...links.flatMap((link) => link.pairs.map((pair) => pair.field)),
    ].map((name) => name.trim().toLowerCase());
    const pairs: [BuilderEdit, BuilderEdit][] = [
      [
        { kind: 'setFormula', field: index, value: `${field.formula}+1` },
        { kind: 'setFormula', field: index, value: field.formula },
      ],
      [
        { kind: 'setHidden', field: index, value: !field.isHidden },
        { kind: 'setHidden', field: index, value: field.isHidden },
      ],
    ];
    if (!called.includes(field.name.trim().toLowerCase())) {
      pairs.push([
        { kind: 'renameField', field: index, value: `${field.name}!` },
        { kind: 'renameField', field: index, value: field.name },
      ]);
    }
    const isPlain = fields.every((entry, at) => entry.index === at && !entry.isHidden);
    const isNumbered = (JSON.parse(text) as { FieldList: { fieldindex?: number }[] }).FieldList.every(
      ({ fieldindex }, at) => fieldindex === at + 1,
    );
    if (isPlain && isNumbered) {
      pairs.push([
        { kind: 'moveField', field: index, place: to },
        { kind: 'moveField', field: to, place: from },
      ]);
    }
    if (first) {
      const change = {
        joiner: first.joiner === 'AND' ? ('OR' as const) : ('AND' as const),
        value2: `${first.value2}x`,
      };
      pairs.push([
        { kind: 'setCriterion', field: index, row: first.row, change },
        { kind: 'setCriterion', field: index, row: first.row, change: { joiner: first.joiner, value2: first.value2 } },
      ]);
    }
    return pairs;
  }

  it('leave the text to the byte as it was', () => {
    let tried = 0;
    fc.assert(
      fc.property(served, fc.nat(30), fc.nat(30), (full, place, other) => {
        const text = documentText(editableView(full, reportKind.shape));
        if (readReport(text).fields.length === 0) return;
        for (const [there, back] of thereAndBack(text, place, other)) {
          const changed = applyEdits(text, reportEdits(text, there, context));
          const again = applyEdits(changed, reportEdits(changed, back, context));
          if (isSpelledByUs(text, there)) expect(again, there.kind).toBe(text);
          else expect(readReport(again), there.kind).toEqual(readReport(text));
          tried += 1;
        }
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
    expect(tried).toBeGreaterThan(runs / 4);
  });

  /** Null, missing and other spellings of a value come back as the builder writes them; what they mean stays. */
  function isSpelledByUs(text: string, edit: BuilderEdit): boolean {
    if (!('field' in edit)) return true;
    const entry = (JSON.parse(text) as { FieldList: Record<string, unknown>[] }).FieldList[edit.field] ?? {};
    const rows = Array.isArray(entry.Criteria) ? (entry.Criteria as Record<string, unknown>[]) : [];
    const row = 'row' in edit ? rows[edit.row] : undefined;
    const isText = (value: unknown) => typeof value === 'string';
    const isJoiner = row === undefined || row.Logical === 'AND' || row.Logical === 'OR';
    return (
      [entry.DisplayFieldName, entry.Formula].every(isText) &&
      entry.DisplayFieldName !== '' &&
      typeof entry.fieldindex === 'number' &&
      isJoiner &&
      (row === undefined || isText(row.Value2))
    );
  }
});
