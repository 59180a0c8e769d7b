import { describe, expect, it } from 'vitest';
import { findKind } from '../../../../../src/objects/kinds/kinds.ts';
import { JsonText } from '../../../../../src/objects/language/jsonText.ts';
import { fixAllChange } from '../../../../../src/objects/language/problems/fixAll.ts';
import type { JsonObject } from '../../../../../src/objects/json.ts';
import { facts, type LookOptions } from '../languageFacts.ts';

/** The object after *Fix All*; undefined if it changes nothing. */
function afterFixAll(kindName: string, view: string | object, options: LookOptions = {}): unknown {
  const kind = findKind(kindName);
  if (!kind) throw new Error(kindName);
  const text = typeof view === 'string' ? view : JSON.stringify(view, undefined, 2);
  const document = new JsonText(text);
  const change = fixAllChange({
    ...{ document, kind, id: options.id ?? '1', facts: options.facts ?? facts, base: options.base },
    server: 'Test Server',
  });
  if (!change) return undefined;
  return JSON.parse(text.slice(0, change.offset) + change.text + text.slice(change.offset + change.length));
}

const groups = (...ids: string[]) => ids.map((GroupId) => ({ GroupId }));
const policy = { id: '1', Name: 'Own', Constraints: [], Groups: groups('16'), Users: [], isActive: false };

describe('fixing all', () => {
  it.each([
    ['alone', ['99'], []],
    ['beside each other', ['97', '98', '99'], []],
    ['at the start', ['98', '99', '16', '17'], ['16', '17']],
    ['at the end', ['16', '17', '98', '99'], ['16', '17']],
    ['everywhere', ['95', '16', '96', '97', '17', '98', '99'], ['16', '17']],
  ])('removes every reference to a deleted group: %s', (_where, before, after) => {
    const stored: JsonObject = { ...policy, Groups: groups(...before), Users: [{ ID: '77' }, { ID: '5' }] };
    const users = [{ ID: '5' }];
    expect(afterFixAll('policy', stored, { base: stored })).toEqual({
      ...policy,
      Groups: groups(...after),
      Users: users,
    });
  });

  it('removes a thousand references of a list', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => String(1000 + index));
    const stored: JsonObject = { ...policy, Groups: groups(...ids, '16') };
    expect(afterFixAll('policy', stored, { base: stored })).toEqual(policy);
  });

  it('removes repeated entries only if they are the same', () => {
    const value = (Option1: string) => ({ RightID: '16', Option1 });
    const tag = { Label: 'zone', DefaultValue: 'x' };
    expect(afterFixAll('tag', { ...tag, SecurityGroups: [value('TX'), value('TX'), value('TX')] })).toEqual({
      ...tag,
      SecurityGroups: [value('TX')],
    });
    expect(afterFixAll('tag', { ...tag, SecurityGroups: [value('TX'), value('CA')] })).toBeUndefined();
  });

  it('takes the whole name of one group as its id, but no part of a name, and no name of two', () => {
    const named = (GroupId: string) => ({ ...policy, Groups: groups(GroupId) });
    expect(afterFixAll('policy', named('south'))).toEqual(named('17'));
    expect(afterFixAll('policy', named('Sou'))).toBeUndefined();
    const two = new Map(['16', '17'].map((id) => [id, { id, name: 'South', detail: '' }]));
    const twins = { ...facts, objects: () => two };
    expect(afterFixAll('policy', named('South'), { facts: twins })).toBeUndefined();
  });

  it('keeps an id that was typed: it may be a slip', () => {
    const base: JsonObject = policy;
    expect(afterFixAll('policy', { ...policy, Groups: groups('16', '61') }, { base })).toBeUndefined();
    expect(afterFixAll('policy', { ...policy, Groups: groups('61') }, { base: undefined })).toBeUndefined();
  });

  it('keeps references to what may only be hidden from the account', () => {
    const report: JsonObject = { ReportType: 'Flights', folderid: 9, linkreports: [{ ReportID: '404', Name: 'Gone' }] };
    expect(afterFixAll('report', report, { base: report })).toBeUndefined();
  });

  it('restores what the server maintains', () => {
    const base: JsonObject = { ...policy, CreatedDate: '2026-01-01', ModifiedDate: '2026-01-02' };
    expect(afterFixAll('policy', { ...policy, CreatedDate: 'x', ModifiedDate: 'y' }, { base })).toEqual(base);
  });

  it('changes no text that is not whole JSON, and none without a problem', () => {
    const stored: JsonObject = { ...policy, Groups: groups('99') };
    expect(afterFixAll('policy', `${JSON.stringify(stored)},`, { base: stored })).toBeUndefined();
    expect(afterFixAll('policy', policy, { base: policy })).toBeUndefined();
  });
});
