import { describe, expect, it } from 'vitest';
import { parseTree } from 'jsonc-parser';
import { hoverAt } from '../../../../src/objects/language/hover.ts';
import { nameHints, objectLinks, guessKind } from '../../../../src/objects/language/hints.ts';
import { JsonText } from '../../../../src/objects/language/jsonText.ts';
import { noFacts } from '../../../../src/objects/language/serverFacts.ts';
import { facts } from './languageFacts.ts';

const policy = JSON.stringify({
  Constraints: [{ Value: 'a /#state#/ /#login#/ /#nowhere#/' }],
  Groups: [{ GroupId: '16' }, { GroupId: '17', GroupName: 'South' }, { GroupId: '99' }],
  Users: [{ ID: '5' }],
});

/** What hovering over the first place of a word says. */
function hover(kind: string, text: string, word: string) {
  const found = hoverAt(new JsonText(text), kind, text.indexOf(word) + 1, facts);
  return (
    found && { title: found.title, lines: found.lines, marked: text.slice(found.offset, found.offset + found.length) }
  );
}

describe('hovers', () => {
  it('name the object behind an id, with the facts that decide', () => {
    expect(hover('policy', policy, '"16"')).toEqual({
      title: 'North · security group 16',
      lines: ['Northern tenant', '3 members'],
      marked: '"16"',
    });
    expect(hover('policy', policy, '"5"')?.lines).toEqual(['Ada Lovelace', 'locked', 'in North']);
    expect(hover('policy', policy, '"99"')).toBeUndefined();
  });

  it('say what values a tag has, and for whom', () => {
    expect(hover('policy', policy, '/#state#/')).toEqual({
      title: 'data tag state',
      lines: ['North = CA', 'no default: other users see no row'],
      marked: '/#state#/',
    });
    expect(hover('policy', policy, '/#login#/')?.title).toBe('login of the reader’s profile');
    expect(hover('policy', policy, '/#nowhere#/')).toBeUndefined();
  });

  it('say where a report’s field comes from and what a function does', () => {
    const report = JSON.stringify({
      ReportType: 'Flights',
      FieldList: [{ DbTableAlias: 'a', DbFieldName: 'state', Formula: 'ROUND(?, 1)' }],
    });
    expect(hover('report', report, '"state"')).toMatchObject({
      title: 'Airport › State',
      lines: ['a.state · cha', 'report type Flights'],
    });
    const named = (Formula: string, word: string) =>
      hover('report', JSON.stringify({ FieldList: [{ DbTableAlias: 'f', DbFieldName: 'delay', Formula }] }), word);
    expect(named('"x" + [State]', '[State]')).toMatchObject({ title: 'Airport › State', marked: '[State]' });
    expect(named('1 + A.STATE', 'A.STATE')).toMatchObject({ title: 'Airport › State', marked: 'A.STATE' });
    expect(named('2 * ?', '?')).toMatchObject({ title: 'Delay' });
    expect(named('[Gone] + 1', '[Gone]')).toBeUndefined();
    expect(named('round(1)', 'round')).toMatchObject({ title: 'ROUND' });
    const labelled = JSON.stringify({
      FieldList: [{ DbTableAlias: 'a', DbFieldName: 'state', ReportFieldName: 'Home', DisplayFieldName: 'From' }],
    });
    expect(hover('report', labelled, '"Home"')).toMatchObject({ title: 'Airport › State', marked: '"Home"' });
    expect(hover('report', labelled, '"From"')).toBeUndefined();
    expect(hover('report', report, 'ROUND')).toEqual({
      title: 'ROUND',
      lines: ['ROUND(?, 2)', 'Rounds', 'Numeric'],
      marked: 'ROUND',
    });
  });
});

describe('names beside ids', () => {
  const whole = { offset: 0, length: policy.length };

  it('are shown where the text does not say them, in the part that is seen', () => {
    const document = new JsonText(policy);
    expect(nameHints(document, 'policy', facts, whole).map(({ text }) => text)).toEqual(['North', 'ada']);
    const [hint] = nameHints(document, 'policy', facts, whole);
    expect(policy.slice(0, hint?.offset)).toMatch(/"16"$/);
    expect(nameHints(document, 'policy', facts, { offset: 0, length: 10 })).toEqual([]);
    expect(nameHints(document, 'policy', noFacts, whole)).toEqual([]);
  });

  it('are not shown where the text says them beside', () => {
    const text = JSON.stringify({
      linkreports: [
        { ReportID: '30', Name: 'Airports' },
        { ReportID: '30', Name: 'Old' },
      ],
    });
    const hints = nameHints(new JsonText(text), 'report', facts, { offset: 0, length: text.length });
    expect(hints.map(({ text: shown, offset }) => [shown, text.slice(offset, offset + 14)])).toEqual([
      ['Airports', ',"Name":"Old"}'],
    ]);
  });

  it('say what numbers mean', () => {
    const written = new JsonText('{"OutputType": "2"}');
    expect(nameHints(written, 'report', noFacts, { offset: 0, length: 19 }).map(({ text }) => text)).toEqual(['Chart']);
    const report = new JsonText('{"OutputType": 2}');
    expect(nameHints(report, 'report', noFacts, { offset: 0, length: 17 }).map(({ text }) => text)).toEqual(['Chart']);
    const user = new JsonText('{"UserApplications":[{"ApplicationRoleID":"7"}]}');
    const span = { offset: 0, length: 60 };
    expect(nameHints(user, 'user', noFacts, span).map(({ text }) => text)).toEqual(['Architect']);
  });
});

describe('links', () => {
  it('lead to the objects, tags included, and not to applications', () => {
    const text = policy.replace('"Value"', '"ModuleID":"2","Value"');
    const links = objectLinks(new JsonText(text), 'policy', facts);
    expect(
      links.map(({ offset, length, target }) => [text.slice(offset, offset + length), target.kind, target.name]),
    ).toEqual([
      ['16', 'group', 'North'],
      ['17', 'group', 'South'],
      ['99', 'group', '99'],
      ['5', 'user', 'ada'],
      ['/#state#/', 'tag', 'state'],
    ]);
  });
});

it.each([
  ['settings', '{ "password": "x", "apiToken": "y", "debug": true }', false],
  ['report', '{ "stats": {}, "results": [], "meta": {} }', false],
  ['user', '{ "name": "ann", "email": "a@b.c", "theme": "dark", "ID": 4 }', false],
  ['server', '{ "DisplayName": "W", "DatabasePassword": "hunter2" }', true],
  ['user', '{ "LoginName": "ann" }', true],
  ['policy', '{ "Name": "a", "isActive": true, "Constraints": [], "own": 1, "more": 2, "and": 3, "others": 4 }', true],
  ['user', '{ "$schema": "u", "ID": "1", "LoginName": "a", "UserPassword": "x", "GroupId": "7" }', true],
  ['policy', '{}', true],
  ['policy', '', true],
])('tells an object of the kind %s from other files: %s', (kind, text, expected) => {
  expect(guessKind(kind, parseTree(text))).toBe(expected);
});
