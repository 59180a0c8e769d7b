import { describe, expect, it } from 'vitest';
import type { ReportField } from '../../../../src/contract/resources/report.ts';
import type { FieldPlace } from '../../../../src/objects/language/fieldPlace.ts';
import type { Call } from '../../../../src/objects/language/knownObjects.ts';
import {
  labelUsersOf,
  readReportsOn,
  reportsUsing,
  type ReportOnType,
  usersOf,
  usesOf,
} from '../../../../src/objects/language/reportsUsing.ts';

const delay = { reportType: 'Flights', tableAlias: 'f', column: 'delay', name: 'Delay' };
const field = { fieldindex: 1, DbTableAlias: 'F', DbFieldName: 'Delay' };
const other = { fieldindex: 1, DbTableAlias: 'a', DbFieldName: 'state' };
const reports: Record<string, object | undefined> = {
  1: { ReportType: 'Flights', FieldList: [field] },
  2: { ReportType: 'Flights', FieldList: [{ ...field, fieldindex: -1, Criteria: [{ Op: '>' }] }] },
  3: { ReportType: 'Flights', FieldList: [{ ...other, Formula: '[delay] / 60' }] },
  4: { ReportType: 'Flights', FieldList: [other] },
  5: undefined,
};

/** Answers the two calls of a search; report 5 cannot be read. */
function callOf(calls: string[], onRead?: () => void): Call {
  const answer = async (path: string, body: { ReportId?: string }) => {
    calls.push(`${path} ${body.ReportId ?? ''}`);
    if (path === 'library/SearchReports') {
      const items = Object.keys(reports).map((id) => ({
        id,
        ReportName: `R${id}`,
        ReportType: 'Flights',
        itemtype: 1,
      }));
      return [...items, { id: '8', ReportName: 'Board', itemtype: 0 }, { id: '9', ReportType: 'Birds', itemtype: 1 }];
    }
    onRead?.();
    const report = reports[body.ReportId ?? ''];
    if (!report) throw new Error('gone');
    return report;
  };
  return answer as unknown as Call;
}

describe('reports that use a field', () => {
  it('use it also where it is hidden and only sorts', () => {
    const hidden = { ...field, fieldindex: -2, Criteria: [{ Op: '', bprompt: false }] };
    expect(usesOf({ ReportType: 'Flights', FieldList: [hidden] }, delay)).toEqual(['column']);
    const asked = { ...hidden, Criteria: [{ Op: '', bprompt: true }] };
    expect(usesOf({ ReportType: 'Flights', FieldList: [asked] }, delay)).toEqual(['criteria']);
    const compared = { ...hidden, Criteria: [{ Op: '>', bprompt: false }] };
    expect(usesOf({ ReportType: 'Flights', FieldList: [compared] }, delay)).toEqual(['criteria']);
  });

  it('are found by column, criteria and formula; only reports of the report type are read', async () => {
    const calls: string[] = [];
    const progress: string[] = [];
    const { found, unread } = await reportsUsing(callOf(calls), delay, {
      signal: new AbortController().signal,
      onProgress: (read, all) => progress.push(`${read}/${all}`),
    });
    expect(found.map(({ name, uses }) => [name, uses])).toEqual([
      ['R1', ['column']],
      ['R2', ['criteria']],
      ['R3', ['formula']],
    ]);
    expect(unread).toBe(1);
    expect(calls).toHaveLength(6);
    expect(progress.at(-1)).toBe('5/5');
  });

  it('are read once for any number of fields', async () => {
    const calls: string[] = [];
    const { signal } = new AbortController();
    const { reports: known, unread } = await readReportsOn(callOf(calls), 'Flights', { signal });
    const state = { reportType: 'Flights', tableAlias: 'a', column: 'state', name: 'State' };
    expect(usersOf(known, delay).map(({ name }) => name)).toEqual(['R1', 'R2', 'R3']);
    expect(usersOf(known, state).map(({ name }) => name)).toEqual(['R3', 'R4']);
    expect([calls.length, unread]).toEqual([6, 1]);
  });

  it.each([
    ['[Delay] / 60', true],
    ['"delay" / 60', true],
    ['ROUND(F.delay, 2)', true],
    ['ROUND(f . DELAY, 2)', true],
    ['delay * 2', true],
    ['delay(a.state)', false],
    ["'[Delay] or f.delay'", false],
    ["CONCAT('it''s', f.delay)", true],
    ['a.delay', false],
    ['f.delays + [Delays]', false],
    ['UPPER(?)', false],
  ])('know the formula %s', (Formula, isUse) => {
    const report = { ReportType: 'Flights', FieldList: [{ ...other, Formula }] };
    expect(usesOf(report, delay)).toEqual(isUse ? ['formula'] : []);
  });

  it('know a formula that names its own field', () => {
    const uses = (Formula: string) => usesOf({ ReportType: 'Flights', FieldList: [{ ...field, Formula }] }, delay);
    expect(uses('ABS(?)')).toEqual(['column', 'formula']);
    expect(uses("CONCAT(a.state, '?')")).toEqual(['column']);
  });

  it('are those of one application where two have a report type of the same name', () => {
    const report = (ModuleName?: string) => ({ ReportType: 'Flights', ModuleName, FieldList: [field] });
    const uses = (application: string, ModuleName?: string) =>
      usesOf(report(ModuleName), { ...delay, application }).length > 0;
    expect([uses('Air', 'air '), uses('Air', 'Rail'), uses('Air', ''), uses('Air'), uses('', 'Rail')]).toEqual([
      ...[true, false, true, true, true],
    ]);
  });

  it('are those whose formulas call a field by its label, where only the label changes', () => {
    const on = (id: string, Formula: string, ModuleName = 'Air') => ({
      ...{ id, name: id, folder: '' },
      report: { ReportType: 'Flights', ModuleName, FieldList: [{ ...field, Formula }] },
    });
    const known = [on('b', '[DELAY] + 1'), on('a', 'ABS(delay)'), on('c', 'f.delay + ?'), on('d', '[Delay]', 'Rail')];
    expect(labelUsersOf(known, { ...delay, application: 'Air' }).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('are not those that call another field of the same label', () => {
    const namesakes = [{ tableAlias: 'a', column: 'late' }, delay];
    const inFormula = (DbTableAlias: string, Formula: string, place: object) =>
      usesOf(
        { ReportType: 'Flights', FieldList: [{ fieldindex: 1, DbTableAlias, DbFieldName: 'x', Formula }] },
        {
          ...delay,
          ...place,
        },
      ).includes('formula');
    const other = { tableAlias: 'a', column: 'late', namesakes };
    // The label means the field of the entry's own table, else the first.
    expect(['f', 'a', 'w', ''].map((table) => inFormula(table, '[Delay]', { namesakes }))).toEqual([
      ...[true, false, false, false],
    ]);
    expect(['f', 'a', 'w', ''].map((table) => inFormula(table, '[Delay]', other))).toEqual([false, true, true, true]);
    expect(inFormula('a', 'f.delay', { namesakes })).toBe(true);
  });

  describe('by a link', () => {
    const links = (TargetField: string, ReportID: string | number = '2'): ReportOnType => ({
      id: '1',
      name: 'From',
      folder: '',
      report: {
        ReportType: 'Flights',
        FieldList: [other],
        linkreports: [{ ReportID, Name: 'To', Links: [{ Field: 'state', TargetField }] }],
      },
    });
    const target = (...FieldList: ReportField[]): ReportOnType => ({
      ...{ id: '2', name: 'To', folder: '' },
      report: { ReportType: 'Flights', FieldList: [other, ...FieldList] },
    });
    const usesBy = (from: ReportOnType, to: ReportOnType, place: FieldPlace = delay) =>
      usersOf([from, to], place).find(({ name }) => name === 'From')?.uses;

    it('are found where the other report takes the value by the field’s label', () => {
      expect(usesBy(links('DELAY'), target())).toEqual(['link']);
      expect(usesBy(links('delay', 2), target())).toEqual(['link']);
      expect(usesBy(links('Arrival'), target())).toBeUndefined();
      expect(usesBy(links('Delay', '3'), target())).toBeUndefined();
    });

    it('are found where it takes the value by a column of its own, whatever that is called', () => {
      const renamed = { ...field, RenamedField: 'Minutes late', DisplayFieldName: 'Late' };
      for (const name of ['Minutes late', 'minutes_late', 'Late']) {
        expect(usesBy(links(name), target(renamed))).toEqual(['link']);
      }
      // Another column that is called as the field is, is what the report means.
      expect(usesBy(links('Delay'), target({ ...other, DisplayFieldName: 'Delay' }))).toBeUndefined();
    });

    it('are not found where the label means another field, or the link is of another shape', () => {
      const namesakes = [{ tableAlias: 'a', column: 'late' }, delay];
      const second = { ...delay, namesakes };
      expect(usesBy(links('Delay'), target(), second)).toBeUndefined();
      const odd = links('Delay');
      for (const entry of [null, 'Delay', { ReportID: '2' }, { ReportID: '2', Links: [{ TargetField: 5 }] }]) {
        expect(usesBy({ ...odd, report: { ...odd.report, linkreports: [entry] } }, target())).toBeUndefined();
      }
    });
  });

  it('are no longer looked for once cancelled', async () => {
    const controller = new AbortController();
    const calls: string[] = [];
    const call = callOf(calls, () => {
      controller.abort();
      throw new Error('cancelled');
    });
    await expect(reportsUsing(call, delay, { signal: controller.signal })).rejects.toThrow('cancelled');
  });
});
