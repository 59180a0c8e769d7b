import { describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/objects/language/knownObjects.ts';
import {
  labelUsersOf,
  readReportsOn,
  reportsUsing,
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
