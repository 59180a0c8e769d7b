import { describe, expect, it } from 'vitest';
import { readServerEntries, signsInAlone, type ServerEntry } from '../../../src/connections/serverEntry.ts';

const entry: ServerEntry = {
  id: 'a',
  name: 'reports.example.com',
  kind: 'remote',
  apiBase: 'https://reports.example.com/api',
  installationId: '1234-5678-9012-3456-7890-1234',
  userName: 'ada',
  isGuest: false,
  keepsPassword: true,
  isSignedOut: false,
};

describe('readServerEntries', () => {
  it('reads what was saved', () => {
    const other = { ...entry, id: 'b', kind: 'local' };
    expect(readServerEntries([entry, other])).toEqual([entry, other]);
  });

  it.each([
    ['nothing', undefined],
    ['no list', { id: 'a' }],
    ['text', ['a', null, 1]],
    ['an entry without an id', [{ ...entry, id: '' }]],
    ['an entry of an unknown kind', [{ ...entry, kind: 'cloud' }]],
    ['an entry with a field of another type', [{ ...entry, isGuest: 'no' }]],
  ])('leaves out %s', (_, value) => expect(readServerEntries(value)).toEqual([]));

  it('keeps the first of two entries with one id', () => {
    expect(readServerEntries([entry, { ...entry, name: 'again' }])).toEqual([entry]);
  });
});

describe('signsInAlone', () => {
  it.each([
    ['a kept password', { keepsPassword: true }, true],
    ['a guest', { keepsPassword: false, isGuest: true }, true],
    ['a password to be asked for', { keepsPassword: false }, false],
    ['a user who signed out', { keepsPassword: true, isSignedOut: true }, false],
  ])('%s', (_, difference, expected) => expect(signsInAlone({ ...entry, ...difference })).toBe(expected));
});
