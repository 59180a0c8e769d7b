import { describe, expect, it } from 'vitest';
import { addColumns, missingColumns, tablesOf } from '../../../../src/features/applications/addColumns.ts';

const column = (columnname: string, datatype = 'integer') => ({ columnname, datatype });
const view = {
  RepTypeName: 'Orders',
  SQLTables: [{ tablename: 'orders', tableowner: '', tablealias: 'o', unlisted: 1 }],
  FieldTree: [
    { id: 4, fname: 'Order', flevel: '0', nodetype: 'G', tablealias: '', sqlfieldname: '', idx_order: 1 },
    { id: 9, fname: 'ID', flevel: '1', nodetype: 'F', tablealias: 'o', sqlfieldname: 'id', idx_order: 2 },
  ],
};
const orders = { name: 'orders', owner: '', columns: [column('ID'), column('customer_id'), column('placed', 'date')] };
const offered = new Set(['num', 'cha', 'doz']);

describe('columns for a report type', () => {
  it('are those that it has no field of, whatever the case', () => {
    expect(missingColumns(view, 'o', orders.columns).map(({ columnname }) => columnname)).toEqual([
      'customer_id',
      'placed',
    ]);
    expect(tablesOf(view)).toEqual([{ name: 'orders', owner: '', alias: 'o' }]);
  });

  it('come at the end with ids of their own, and leave what is there', () => {
    const columns = missingColumns(view, 'o', orders.columns);
    const grown = addColumns(view, { table: orders, alias: 'o', columns, others: [], offered });
    expect(grown.SQLTables).toEqual(view.SQLTables);
    expect(grown.Joins).toBeUndefined();
    expect(grown.FieldTree.slice(0, 2)).toEqual(view.FieldTree);
    expect(grown.FieldTree.slice(2)).toMatchObject([
      { id: 10, fname: 'Customer ID', tablealias: 'o', sqlfieldname: 'customer_id', datatype: 'num', idx_order: 3 },
      { id: 11, fname: 'Placed', datatype: 'doz', flevel: '0', nodetype: 'F', idx_order: 4 },
    ]);
  });

  it('bring their table with them, and how it joins', () => {
    const customers = { name: 'customers', owner: 'shop', columns: [column('id'), column('name', 'text')] };
    const others = [{ ...orders, alias: 'o' }];
    const grown = addColumns(view, { table: customers, alias: undefined, columns: customers.columns, others, offered });
    expect(grown.SQLTables.at(-1)).toEqual({ tablename: 'customers', tableowner: 'shop', tablealias: 'customers' });
    expect(grown.Joins).toEqual([
      { kind: 'left', leftAlias: 'o', leftColumn: 'customer_id', rightAlias: 'customers', rightColumn: 'id' },
    ]);
    // A field of the name is there already.
    expect(grown.FieldTree.slice(2)).toMatchObject([{ fname: 'ID (customers)' }, { fname: 'Name' }]);
  });

  it('of a table that shares its alias get one that is free', () => {
    const other = { name: 'o', owner: '', columns: [column('x')] };
    const others = [{ ...orders, alias: 'o' }];
    expect(addColumns(view, { table: other, alias: undefined, columns: other.columns, others, offered }).alias).toBe(
      'o_2',
    );
  });
});
