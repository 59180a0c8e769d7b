import { findProblems } from '../../../../src/objects/language/problems/findProblems.ts';
import { JsonText } from '../../../../src/objects/language/jsonText.ts';
import type { KnownObject, ReferenceKind } from '../../../../src/objects/language/knownObjects.ts';
import type { Fix, Problem } from '../../../../src/objects/language/problems/problem.ts';
import type { ServerFacts } from '../../../../src/objects/language/serverFacts.ts';
import type { JsonObject } from '../../../../src/objects/json.ts';
import { findKind } from '../../../../src/objects/kinds/kinds.ts';

const tagFacts = { isActive: true, defaultValue: '', groupValues: new Map([['16', 'CA']]), userValues: new Map() };

const lists: Record<ReferenceKind, KnownObject[]> = {
  group: [
    { id: '16', name: 'North', detail: 'Northern tenant', memberCount: 3 },
    { id: '17', name: 'South', detail: '', memberCount: 1 },
  ],
  user: [
    {
      id: '5',
      name: 'ada',
      detail: 'Ada Lovelace',
      user: { isLocked: true, isAdmin: false, groups: ['North'], selfSetFields: ['Company'] },
    },
    {
      id: '6',
      name: 'ben',
      detail: '',
      user: { isLocked: false, isAdmin: true, groups: ['South'], selfSetFields: [] },
    },
  ],
  tag: [
    { id: '3', name: 'state', detail: '', tag: tagFacts },
    { id: '4', name: 'region', detail: 'West', tag: { ...tagFacts, defaultValue: 'West', groupValues: new Map() } },
  ],
  policy: [
    {
      id: '1',
      name: 'Own States',
      detail: '',
      policy: {
        isActive: true,
        tagLabels: ['state'],
        groupIds: ['16'],
        userIds: [],
        constraints: [{ Table: 'flights', Column: 'state', Op: '=', Value: '/#state#/' }],
      },
    },
  ],
  folder: [{ id: '9', name: 'Flights', detail: 'Public Library' }],
  application: [{ id: '2', name: 'Flight Operations', detail: 'anydb' }],
  report: [{ id: '30', name: 'Airports', detail: 'Flights', reportType: 'Flights' }],
  server: [
    {
      id: '8',
      name: 'Warehouse',
      detail: 'duckdb',
      server: { platform: 'duckdb', application: 'Flight Operations', moduleId: '2', moduleType: 'anydb' },
    },
  ],
};

/** A server with a few objects of each kind. */
export const facts: ServerFacts = {
  objects: (kind) => new Map(lists[kind].map((object) => [object.id, object])),
  reportTypes: ['Flights', 'Bird Strikes'],
  reportFields: [
    { name: 'State', folder: 'Airport', tableAlias: 'a', parentAlias: 'f', column: 'state', fieldType: 'cha' },
    { name: 'Delay', folder: '', tableAlias: 'f', parentAlias: 'f', column: 'delay', fieldType: 'num' },
  ],
  functions: [{ id: 'ROUND', name: 'ROUND', expression: 'ROUND(?, 2)', description: 'Rounds', type: 'Numeric' }],
  timeZones: [
    { name: '(UTC+00:00) UTC', code: 'UTC', offset: 0 },
    { name: '(UTC+05:30) Asia/Kolkata', code: 'Asia/Kolkata', offset: 5.5 },
    { name: '(UTC+05:45) Asia/Katmandu', code: 'Asia/Katmandu', offset: 5.75 },
  ],
  columns: [
    { owner: 'main', table: 'flights', column: 'origin_state', label: 'State' },
    { owner: 'main', table: 'airports', column: 'iata', label: 'Airport' },
  ],
};

/** How a document is looked at. */
export interface LookOptions {
  facts?: ServerFacts;
  base?: JsonObject;
  id?: string;
}

/** Problems of a document of a kind, from its text or its view. */
export function problemsOf(kindName: string, view: string | object, options: LookOptions = {}): Problem[] {
  const kind = findKind(kindName);
  if (!kind) throw new Error(kindName);
  const text = typeof view === 'string' ? view : JSON.stringify(view, undefined, 2);
  const document = new JsonText(text);
  return findProblems({
    document,
    kind,
    id: options.id,
    facts: options.facts ?? facts,
    base: options.base,
    server: 'Test Server',
  });
}

/** The text with a fix applied. */
export function fixed(text: string, fix: Fix | undefined): string {
  if (!fix) throw new Error('There is no fix');
  return [...fix.changes]
    .sort((a, b) => b.offset - a.offset)
    .reduce((now, { offset, length, text: put }) => now.slice(0, offset) + put + now.slice(offset + length), text);
}
