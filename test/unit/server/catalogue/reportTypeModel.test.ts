import { describe, expect, it } from 'vitest';
import type { FieldTreeEntry, ReportTypeDefinition } from '../../../../src/contract/resources/semanticLayer.ts';
import {
  readFieldTree,
  readNewReportType,
  readReportType,
  ReportTypeError,
  writeReportType,
  type FieldTreeNode,
} from '../../../../src/server/catalogue/reportTypeModel.ts';
import { flightsType, strikesType } from '../../../../src/server/sample/sampleReportTypes.ts';

function entry(fname: string, flevel: string, nodetype: 'G' | 'F', idx_order: number): FieldTreeEntry {
  return { fname, flevel, nodetype, idx_order, tablealias: 'a', sqlfieldname: fname.toLowerCase(), datatype: 'cha' };
}

function outline(nodes: readonly FieldTreeNode[]): unknown[] {
  return nodes.map(({ entry: { fname }, children, isFolder }) => (isFolder ? [fname, outline(children)] : fname));
}

function definition(change: Partial<ReportTypeDefinition> = {}): ReportTypeDefinition {
  return {
    RepTypeName: 'Orders',
    SQLTables: [
      { tablename: 'orders', tableowner: 'dbo', tablealias: 'a' },
      { tablename: 'people', tableowner: '', tablealias: '' },
    ],
    FieldTree: [entry('Amount', '0', 'F', 1)],
    ...change,
  };
}

describe('readFieldTree', () => {
  it('nests by depth, in the order of idx_order', () => {
    const tree = readFieldTree([
      entry('City', '2', 'F', 4),
      entry('Orders', '0', 'G', 1),
      entry('Amount', '1', 'F', 2),
      entry('Place', '1', 'G', 3),
      entry('People', '0', 'G', 5),
      entry('Name', '1', 'F', 6),
    ]);
    expect(outline(tree)).toEqual([
      ['Orders', ['Amount', ['Place', ['City']]]],
      ['People', ['Name']],
    ]);
  });

  it('keeps every entry, even where depths make no sense', () => {
    const tree = readFieldTree([entry('Deep', '7', 'F', 1), entry('None', '', 'G', 2), entry('Odd', 'x', 'F', 3)]);
    expect(outline(tree)).toEqual(['Deep', ['None', []], 'Odd']);
  });
});

describe('readNewReportType', () => {
  const tables = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ tablename: 'x', tablealias: `t${at}` }));
  const joins = (count: number) =>
    Array.from({ length: count }, () => ({
      kind: 'inner',
      leftAlias: 't0',
      leftColumn: 'x',
      rightAlias: 't1',
      rightColumn: 'y',
    }));
  const type = (tableCount: number, joinCount: number) =>
    definition({
      SQLTables: tables(tableCount),
      Joins: joins(joinCount),
      FieldTree: [],
    });

  it.each([
    ['more than 250 tables', 251, 0],
    ['more than 1000 joins', 2, 1001],
  ])('refuses %s, which is still read where it is stored', (problem, tableCount, joinCount) => {
    expect(() => readNewReportType(type(tableCount, joinCount))).toThrow(problem);
    expect(readReportType(type(tableCount, joinCount)).tables).toHaveLength(tableCount);
    expect(readNewReportType(type(250, 1000)).joins).toHaveLength(1000);
  });
});

describe('readReportType', () => {
  it('reads tables, aliases and fields with their folders', () => {
    const read = readReportType(
      definition({ FieldTree: [entry('Money', '0', 'G', 1), { ...entry('Amount', '1', 'F', 2), datatype: 'cur' }] }),
    );
    expect(read.tables).toEqual([
      { name: 'orders', owner: 'dbo', alias: 'a' },
      { name: 'people', owner: '', alias: 'people' },
    ]);
    expect(read.fields).toMatchObject([{ label: 'Amount', folder: 'Money', column: 'amount', fieldType: 'cur' }]);
  });

  const join = { kind: 'inner', leftAlias: 'a', leftColumn: 'x', rightAlias: 'people', rightColumn: 'y' };
  it.each<[string, Partial<ReportTypeDefinition>]>([
    ['has no name', { RepTypeName: ' ' }],
    [
      'share an alias',
      {
        SQLTables: [
          { tablename: 'x', tablealias: 'a' },
          { tablename: 'y', tablealias: 'a' },
        ],
      },
    ],
    ['a table has no name', { SQLTables: [{ tablename: '', tablealias: 'a' }] }],
    ['names no table', { FieldTree: [{ ...entry('Amount', '0', 'F', 1), tablealias: 'b' }] }],
    ['names no column', { FieldTree: [{ ...entry('Amount', '0', 'F', 1), sqlfieldname: null }] }],
    ['"money"', { FieldTree: [{ ...entry('Amount', '0', 'F', 1), datatype: 'money' }] }],
    ['does not name two tables', { Joins: [{ ...join, rightAlias: 'b' }] }],
    ['does not name two tables', { Joins: [{ ...join, rightAlias: 'a' }] }],
    ['kind', { Joins: [{ ...join, kind: 'cross' }] }],
  ])('refuses what does not hold together: %s', (message, change) => {
    expect(() => readReportType(definition(change))).toThrow(ReportTypeError);
    expect(() => readReportType(definition(change))).toThrow(message);
    expect(() => readReportType(definition())).not.toThrow();
  });

  it.each([flightsType, strikesType])('reads back what writeReportType wrote: $name', (reportType) => {
    const read = readReportType(writeReportType(reportType));
    const comparable = (fields: typeof reportType.fields) => fields.map(({ order: _order, ...field }) => field);
    expect({ ...read, fields: comparable(read.fields) }).toEqual({
      ...reportType,
      fields: comparable(reportType.fields),
    });
  });
});
