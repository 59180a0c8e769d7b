import { describe, expect, it } from 'vitest';
import {
  fieldLabel,
  fieldTypeOf,
  proposeFields,
  proposeJoins,
  unjoinedTables,
  withAliases,
} from '../../../../src/features/applications/proposeReportType.ts';

const table = (name: string, columns: readonly string[], owner = '') => ({
  name,
  owner,
  columns: columns.map((columnname) => ({ columnname, datatype: 'integer' })),
});
const joinsOf = (...tables: ReturnType<typeof table>[]) =>
  proposeJoins(withAliases(tables)).map(
    ({ kind, leftAlias, leftColumn, rightAlias, rightColumn }) =>
      `${leftAlias}.${leftColumn} ${kind} ${rightAlias}.${rightColumn}`,
  );

describe('joins proposed from names', () => {
  it('follow a column that names the other table, from whichever side', () => {
    const orders = table('orders', ['id', 'customer_id', 'paid']);
    const customers = table('customers', ['id', 'name', 'paid']);
    expect(joinsOf(orders, customers)).toEqual(['orders.customer_id left customers.id']);
    expect(joinsOf(customers, orders)).toEqual(['orders.customer_id left customers.id']);
    expect(joinsOf(table('Order', ['CategoryId']), table('Categories', ['CategoryId', 'Id']))).toEqual([
      'Order.CategoryId left Categories.CategoryId',
    ]);
  });

  it('take every key that two tables share where no name says more', () => {
    const items = table('items', ['order_no', 'line_no', 'id', 'period']);
    const shipments = table('shipments', ['order_no', 'line_no', 'id', 'period']);
    expect(joinsOf(items, shipments)).toEqual([
      'items.order_no inner shipments.order_no',
      'items.line_no inner shipments.line_no',
    ]);
  });

  it('prefer what names a table over shared keys, and form no circle', () => {
    const customers = table('customers', ['customer_id', 'region_id']);
    const orders = table('orders', ['order_id', 'customer_id', 'region_id']);
    const regions = table('regions', ['region_id']);
    expect(joinsOf(customers, orders, regions)).toEqual([
      'orders.customer_id left customers.customer_id',
      'customers.region_id left regions.region_id',
    ]);
  });

  it('are none for words that merely end like keys, and for a bare id', () => {
    expect(joinsOf(table('a', ['id', 'paid', 'piano']), table('b', ['id', 'paid', 'piano']))).toEqual([]);
    const alone = withAliases([table('a', ['id']), table('b', ['id'])]);
    expect(unjoinedTables(alone, []).map(({ alias }) => alias)).toEqual(['b']);
  });
});

it('tells tables of the same name apart', () => {
  const aliases = withAliases([table('sales', [], 'north'), table('sales', [], 'south'), table('sales', [], 'north')]);
  expect(aliases.map(({ alias }) => alias)).toEqual(['north_sales', 'south_sales', 'north_sales_2']);
});

it('puts the columns of several tables into folders, and of one at the top', () => {
  const tables = withAliases([table('orders', ['id', 'placed_at']), table('customers', ['name'])]);
  const tree = proposeFields(tables, new Set(['num', 'cha']));
  expect(tree.map(({ id, fname, flevel, nodetype, idx_order }) => [id, fname, flevel, nodetype, idx_order])).toEqual([
    [1, 'Orders', '0', 'G', 1],
    [2, 'ID', '1', 'F', 2],
    [3, 'Placed At', '1', 'F', 3],
    [4, 'Customers', '0', 'G', 4],
    [5, 'Name', '1', 'F', 5],
  ]);
  expect(proposeFields(tables.slice(1), new Set()).map(({ flevel }) => flevel)).toEqual(['0']);
});

it('gives every field a label of its own, by which formulas name it', () => {
  const tables = withAliases([table('orders', ['id', 'unit_price', 'unitPrice']), table('customers', ['ID'])]);
  const labels = proposeFields(tables, new Set()).flatMap(({ fname, nodetype }) => (nodetype === 'F' ? [fname] : []));
  expect(labels).toEqual(['ID', 'Unit Price', 'Unit Price (orders)', 'ID (customers)']);
});

it.each([
  ['integer', 'num'],
  ['numeric(10,2)', 'num'],
  ['double precision', 'num'],
  ['Nullable(UInt8)', 'num'],
  ['LowCardinality(Nullable(String))', 'cha'],
  ['bigserial', 'num'],
  ['interval', 'cha'],
  ['point', 'cha'],
  ['money', 'cur'],
  ['date', 'doz'],
  ['Date32', 'doz'],
  ['timestamp without time zone', 'dtz'],
  ['DateTime64(3)', 'dtz'],
  ['datetime2', 'dtz'],
  ['character varying(20)', 'cha'],
  ['', 'cha'],
])('takes %j for %s', (type, code) => {
  expect(fieldTypeOf(type)).toBe(code);
});

it('offers only field types that the server has', () => {
  const [field] = proposeFields(withAliases([table('t', ['n'])]), new Set(['cha']));
  expect(field?.datatype).toBe('cha');
});

it.each([
  ['origin_state', 'Origin State'],
  ['carrierCode', 'Carrier Code'],
  ['AIRPORT_ID', 'Airport ID'],
  ['név', 'Név'],
  ['_', '_'],
])('calls %j %j', (name, label) => {
  expect(fieldLabel(name)).toBe(label);
});
