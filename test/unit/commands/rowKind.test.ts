import { describe, expect, it } from 'vitest';
import { rowKind } from '../../../src/commands/rowKind.ts';
import { treeConnection } from '../tree/treeConnection.ts';

const connection = treeConnection('http://127.0.0.1:9');
const row = (kind: string) => ({ kind, id: kind, connection, parent: undefined });

describe('renaming and deleting a row by its key', () => {
  it('is about the server, the membership or the object', () => {
    expect(rowKind(row('server'))).toBe('server');
    expect(rowKind(row('member'))).toBe('member');
    expect(['user', 'group', 'report', 'folder', 'failure'].map((kind) => rowKind(row(kind)))).toEqual(
      Array<string>(5).fill('object'),
    );
  });

  it('takes what is no row for an object, which is asked for', () => {
    expect(rowKind(undefined)).toBe('object');
    expect(rowKind({ connectionId: 'a', kind: 'server', id: '1', name: 'Flights' })).toBe('object');
  });
});
