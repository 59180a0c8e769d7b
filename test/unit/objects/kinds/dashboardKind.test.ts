import { describe, expect, it } from 'vitest';
import { reportsInFlags } from '../../../../src/contract/dashboardFlags.ts';
import { dashboardKind } from '../../../../src/objects/kinds/dashboardKind.ts';
import { findProblems } from '../../../../src/objects/language/problems/findProblems.ts';
import { JsonText } from '../../../../src/objects/language/jsonText.ts';
import type { KnownObject } from '../../../../src/objects/language/knownObjects.ts';
import { noFacts } from '../../../../src/objects/language/serverFacts.ts';
import { suggest } from '../../../../src/objects/language/suggest.ts';
import { threeWayMerge } from '../../../../src/objects/merge/threeWayMerge.ts';
import type { JsonObject } from '../../../../src/objects/json.ts';

const reports = new Map<string, KnownObject>(
  [
    ['5', 'Delays'],
    ['6', 'Routes'],
  ].map(([id = '', name = '']) => [id, { id, name, detail: 'Library/Flights' }]),
);
const folders = new Map<string, KnownObject>([['3', { id: '3', name: 'Flights', detail: '' }]]);
const facts = {
  ...noFacts,
  objects: (kind: string) => (kind === 'report' ? reports : kind === 'folder' ? folders : undefined),
};
const shows = (...ids: string[]) => ids.map((ReportID) => ({ ReportID }));
const board = (fields: object = {}) =>
  ({ name: 'Board', descr: '', folderid: 3, reports: shows('5', '6'), ...fields }) as JsonObject;

describe('the document of a dashboard', () => {
  const problems = (view: object) =>
    findProblems({
      document: new JsonText(JSON.stringify(view)),
      kind: dashboardKind,
      id: '7',
      facts,
      base: undefined,
      server: 'Shop',
    });

  it('marks reports that are unknown or listed twice, and an unknown folder', () => {
    expect(problems(board())).toEqual([]);
    expect(problems(board({ reports: shows('5', '6', '5') })).map(({ code, message }) => [code, message])).toEqual([
      ['duplicateEntry', 'This list contains report 5 twice.'],
    ]);
    const [unknown, ...more] = problems(board({ reports: shows('99') }));
    expect(more).toEqual([]);
    expect(unknown).toMatchObject({ code: 'danglingId' });
    expect(unknown?.message).toContain('Shop has no report 99 that you can see.');
    const named = problems(board({ reports: shows('Routes') }))[0]?.fixes[0];
    expect(named).toMatchObject({ title: 'Use Routes (ID 6)' });
    expect(problems(board({ folderid: 4 })).map(({ code }) => code)).toEqual(['danglingId']);
  });

  it('completes reports by name, without those that it shows', () => {
    const text = '{ "reports": [{ "ReportID": "5" }, ] }';
    const offset = text.indexOf(', ]') + 2;
    const found = suggest({ document: new JsonText(text), kind: 'dashboard', offset, facts });
    expect(found.map(({ label, insert }) => [label, insert])).toEqual([['Routes', '{ "ReportID": "6" \\}']]);
    const value = '{ "reports": [{ "ReportID": "" }] }';
    const ids = suggest({ document: new JsonText(value), kind: 'dashboard', offset: value.indexOf('""') + 1, facts });
    expect(ids.map(({ label }) => label)).toEqual(['Delays', 'Routes']);
  });
});

describe('the merge of a dashboard', () => {
  const merge = (mine: object, theirs: object) =>
    threeWayMerge(board(), board(mine), board(theirs), dashboardKind.shape);

  it('joins a new name with new reports, in their order', () => {
    const turned = shows('6', '5');
    expect(merge({ reports: turned }, { name: 'Theirs' })).toMatchObject({
      view: { name: 'Theirs', reports: turned },
      conflicts: [],
    });
    expect(merge({ name: 'Mine' }, { reports: turned })).toMatchObject({ view: { name: 'Mine', reports: turned } });
  });

  it('is a conflict when both change the reports, also their order alone', () => {
    const { conflicts } = merge({ reports: shows('6', '5') }, { reports: shows('5') });
    expect(conflicts).toMatchObject([{ path: 'reports', mine: shows('6', '5'), theirs: shows('5') }]);
    expect(merge({ reports: shows('5') }, { reports: shows('5') }).conflicts).toEqual([]);
  });
});

it('the flags of a dashboard name its reports in the form of the embedded server only', () => {
  expect(reportsInFlags('{"reports":[7,"8",7]}')).toEqual(['7', '8']);
  expect(reportsInFlags('{"reports":[]}')).toEqual([]);
  for (const other of [null, undefined, '', '{', 'null', '7', '[7]', '{"reports":7}', '{"reports":[null]}']) {
    expect(reportsInFlags(other), String(other)).toBeUndefined();
  }
});
