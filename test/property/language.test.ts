import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact } from '../../src/objects/json.ts';
import { objectKinds } from '../../src/objects/kinds/kinds.ts';
import { findProblems } from '../../src/objects/language/problems/findProblems.ts';
import { nameHints, objectLinks } from '../../src/objects/language/hints.ts';
import { hoverAt } from '../../src/objects/language/hover.ts';
import { JsonText } from '../../src/objects/language/jsonText.ts';
import { neededAt, suggest } from '../../src/objects/language/suggest.ts';
import { figure } from '../support/run/figure.ts';
import { facts, fixed } from '../unit/objects/language/languageFacts.ts';
import { propertyRuns } from '../support/run/soakSize.ts';

const numRuns = propertyRuns(2_000, 10_000);
/** Names that the rules look at, and names that objects must not have. */
const names = fc.constantFrom(
  ...['Constraints', 'Groups', 'GroupId', 'Users', 'ID', 'RightID', 'Permissions', 'FieldList', 'Criteria', 'Formula'],
  ...['SQLTables', 'FieldTree', 'tablealias', 'isActive', 'Name', 'Label', 'Pin', 'OutputType', 'AuditTypes'],
  ...['__proto__', 'constructor', 'toString', ''],
);
const scalars = fc.constantFrom(
  ...['16', '99', 'North', '/#state#/', '/#x#/', '/#/#', ''],
  16,
  1e400,
  -0,
  true,
  false,
  null,
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalars, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc
    .array(fc.tuple(names, tie('value')), { maxLength: 6 })
    .map((fields) => Object.fromEntries(fields) as unknown),
}));
/** Texts of documents: whole, cut off, or with a character put in. */
const texts = fc
  .tuple(value, fc.nat(), fc.constantFrom('', '"', '{', ']', ',', '\\', '\u0000'), fc.boolean())
  .map(([json, at, put, isCut]) => {
    const text = JSON.stringify(json, undefined, 1);
    const place = at % (text.length + 1);
    return isCut ? text.slice(0, place) + put : text.slice(0, place) + put + text.slice(place);
  });

describe('language help', () => {
  it('stands any text: nothing throws, and nothing lies outside it', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...objectKinds), fc.nat(), (text, kind, at) => {
        const document = new JsonText(text);
        const base =
          objectKinds.indexOf(kind) % 2 === 0 ? { id: '1', GroupId: '7', Groups: [{ GroupId: '16' }] } : undefined;
        const problems = findProblems({ document, kind, id: '1', facts, base, server: 'S' });
        const offset = at % (text.length + 1);
        const spans = [
          ...problems,
          ...problems.flatMap(({ fixes }) => fixes.flatMap(({ changes }) => changes)),
          ...suggest({ document, kind: kind.name, offset, facts }).map(({ span }) => span),
          ...objectLinks(document, kind.name, facts),
        ];
        nameHints(document, kind.name, facts, { offset: 0, length: text.length });
        hoverAt(document, kind.name, offset, facts);
        neededAt(document, kind.name, offset);
        for (const span of spans) {
          expect(span.offset).toBeGreaterThanOrEqual(0);
          expect(span.length).toBeGreaterThanOrEqual(0);
          expect(span.offset + span.length).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns },
    );
    figure('language', `${numRuns} tampered documents of ${objectKinds.length} kinds: 0 thrown`);
  });

  it('reads whole text as JSON itself does, and takes no other for whole', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { isWhole, value: read } = new JsonText(text);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expected = undefined;
        }
        if (isWhole) expect(JSON.stringify(read)).toBe(JSON.stringify(parseExact(text)));
        else expect(expected).toBeUndefined();
      }),
      { numRuns },
    );
  });

  it('repairs whole documents into whole documents', () => {
    let fixes = 0;
    fc.assert(
      fc.property(value, fc.constantFrom(...objectKinds), (json, kind) => {
        const text = JSON.stringify(json, undefined, 1);
        const context = { document: new JsonText(text), kind, id: '1', facts, base: undefined, server: 'S' };
        for (const problem of findProblems(context)) {
          for (const fix of problem.fixes) {
            fixes++;
            expect(() => void JSON.parse(fixed(text, fix))).not.toThrow();
          }
        }
      }),
      { numRuns },
    );
    expect(fixes).toBeGreaterThan(20);
    figure('language', `${fixes} fixes of random documents: all left whole JSON`);
  });

  it('reads a long document once, in a small multiple of the time that reading JSON takes', () => {
    const field = {
      fieldindex: 1,
      DbTableAlias: 'f',
      DbFieldName: 'delay',
      DisplayFieldName: 'Delay',
      Criteria: [{ Op: '=' }],
    };
    const text = JSON.stringify(
      { ReportType: 'Flights', FieldList: Array.from({ length: 43_000 }, () => field) },
      undefined,
      1,
    );
    expect(text.length).toBeGreaterThan(5_000_000);
    const kind = objectKinds.find(({ name }) => name === 'report');
    if (!kind) throw new Error('report');
    // Time of the processor: the machine may be busy with other things.
    const time = (work: () => void) => {
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    };
    const best = (work: () => void) => Math.min(...[1, 2, 3].map(() => time(work)));
    const plain = best(() => void JSON.parse(text));
    const parsing = best(() => void new JsonText(text));
    const document = new JsonText(text);
    const offset = text.lastIndexOf('"delay"') + 2;
    const looking = best(() => void findProblems({ document, kind, id: '1', facts, base: undefined, server: 'S' }));
    const asking = best(() => {
      hoverAt(document, 'report', offset, facts);
      neededAt(document, 'report', offset);
      suggest({ document, kind: 'report', offset, facts });
    });
    const times = (ms: number) => `${(ms / plain).toFixed(1)} ×`;
    figure(
      'language',
      `5 MB: parsed in ${times(parsing)} JSON.parse (${plain.toFixed(0)} ms), problems ${times(looking)}, hover and completion ${times(asking)}`,
    );
    expect(parsing).toBeLessThan(plain * 150);
    expect(looking).toBeLessThan(plain * 150);
    expect(asking).toBeLessThan(plain * 50);
  });
});
