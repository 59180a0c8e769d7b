import { describe, expect, it } from 'vitest';
import { operators } from '../../../../../src/contract/operators.ts';
import type { BuilderField, TreeEntry } from '../../../../../src/features/builder/pageContract.ts';
import {
  columnChoices,
  columnNamed,
  fillSlot,
  groupChoices,
  outputSlots,
} from '../../../../../src/features/builder/page/options/optionColumns.ts';
import { editorKey } from '../../../../../src/features/builder/page/editorKeys.ts';
import { offeredUses, useOf } from '../../../../../src/features/builder/page/fields/fieldUses.ts';
import {
  formulaOffers,
  referenceTo,
  withOffer,
  wordBefore,
} from '../../../../../src/features/builder/page/fields/formulaHelp.ts';
import { knownOperator, offeredOperators } from '../../../../../src/features/builder/page/criteria/operators.ts';
import { Reorder } from '../../../../../src/features/builder/page/reorder.ts';
import { problemPlace } from '../../../../../src/features/builder/page/problemPlace.ts';
import { sqlTokens } from '../../../../../src/features/builder/page/sqlTokens.ts';
import { TypedText } from '../../../../../src/features/builder/page/typedText.ts';
import {
  drawnRows,
  firstUnfolded,
  searchableTree,
  shownEntries,
  siblingPlaces,
} from '../../../../../src/features/builder/page/fields/treeRows.ts';

const folder = (label: string, depth: number): TreeEntry => ({ label, depth, isFolder: true, source: '', type: '' });
const leaf = (label: string, depth: number, source: string): TreeEntry => ({
  label,
  depth,
  isFolder: false,
  source,
  type: 'cha',
});

describe('the field tree', () => {
  const tree = searchableTree([
    folder('Flight', 0),
    leaf('Delay', 1, 'flights.delay'),
    folder('Origin', 1),
    leaf('City', 2, 'origin.city'),
    folder('Empty', 0),
    leaf('Top', 0, 'top.x'),
  ]);
  const labels = (places: number[]) => places.map((place) => tree.entries[place]?.label);

  it('shows what lies in unfolded folders', () => {
    expect(labels(shownEntries(tree, new Set(), ''))).toEqual(['Flight', 'Empty', 'Top']);
    expect(labels(shownEntries(tree, new Set([2]), ''))).toEqual(['Flight', 'Empty', 'Top']);
    expect(labels(shownEntries(tree, new Set([0, 2]), ' '))).toEqual([
      'Flight',
      'Delay',
      'Origin',
      'City',
      'Empty',
      'Top',
    ]);
    expect([...firstUnfolded(tree)]).toEqual([0, 2, 4]);
  });

  it('finds fields by name, column and the folders around them', () => {
    expect(labels(shownEntries(tree, new Set(), 'city'))).toEqual(['Flight', 'Origin', 'City']);
    expect(labels(shownEntries(tree, new Set(), 'ORIGIN.c'))).toEqual(['Flight', 'Origin', 'City']);
    expect(labels(shownEntries(tree, new Set(), 'flight city'))).toEqual(['Flight', 'Origin', 'City']);
    expect(labels(shownEntries(tree, new Set(), 'flight'))).toEqual(['Flight', 'Delay', 'Origin', 'City']);
    expect(labels(shownEntries(tree, new Set(), 'empty'))).toEqual([]);
    expect(labels(shownEntries(tree, new Set(), 'flight top'))).toEqual([]);
  });
});

describe('rows of the field tree', () => {
  it('say which of how many they are below their folder', () => {
    const tree = searchableTree([folder('A', 0), leaf('a', 1, 't.a'), leaf('b', 1, 't.b'), folder('B', 0)]);
    const rows = shownEntries(tree, new Set([0]), '');
    expect(siblingPlaces(tree, rows).map(({ place, count }) => `${place}/${count}`)).toEqual([
      '1/2',
      '1/2',
      '2/2',
      '2/2',
    ]);
  });

  it('are drawn in view, and the active one wherever it is', () => {
    expect(drawnRows(2, 5, 3, 10)).toEqual([2, 3, 4]);
    expect(drawnRows(2, 5, 0, 10)).toEqual([0, 2, 3, 4]);
    expect(drawnRows(2, 5, 9, 10)).toEqual([2, 3, 4, 9]);
    expect(drawnRows(0, 5, 0, 2)).toEqual([0, 1]);
    expect(drawnRows(0, 5, 0, 0)).toEqual([]);
  });
});

describe('moves', () => {
  const list = (...entries: string[]) => {
    const arrived: string[] = [];
    const waiting: (() => void)[] = [];
    let isRefused = false;
    const moves = new Reorder(() => ({
      name: () => '',
      range: () => [0, entries.length - 1],
      send: async (at, to) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        if (!isRefused) entries.splice(to, 0, ...entries.splice(at, 1));
        return !isRefused;
      },
      arrived: (at, step) => arrived.push(`${entries[at]} ${step}`),
    }));
    const answer = async () => {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { entries, arrived, moves, answer, waiting, refuse: () => (isRefused = true) };
  };

  it('of a key that is held follow the entry that it was pressed on', async () => {
    const { entries, arrived, moves, answer } = list('a', 'b', 'c', 'd');
    for (let press = 0; press < 3; press++) moves.move(3, -1);
    await answer();
    expect(entries.join('')).toBe('abdc');
    await answer();
    expect([entries.join(''), arrived]).toEqual(['dabc', ['d -1', 'd -1']]);
    moves.move(0, 9);
    await answer();
    expect(entries.join('')).toBe('abcd');
  });

  it('end at the ends of the list, and where one is refused', async () => {
    const { entries, moves, answer, waiting, refuse } = list('a', 'b');
    moves.move(0, -1);
    expect(waiting).toHaveLength(0);
    refuse();
    moves.move(0, 1);
    moves.move(0, 1);
    await answer();
    expect([entries.join(''), waiting.length]).toEqual(['ab', 0]);
  });
});

describe('formulas', () => {
  const functions = [
    { name: 'ROUND', description: 'Rounds', template: 'ROUND(?, 2)' },
    { name: 'CONCAT', description: '', template: "CONCAT(?, '?')" },
    { name: 'NULLIF', description: '', template: 'NULLIF(?, ?)' },
  ];
  const fields = [leaf('Rounds', 0, 't.rounds'), leaf('Delay', 0, 't.delay')];
  const at = (text: string) => ({
    text: text.replaceAll('|', ''),
    start: text.indexOf('|'),
    end: text.lastIndexOf('|') - (text.split('|').length - 2),
  });
  const offer = (name: string) => formulaOffers(at(`${name}|`), functions, fields)[0] ?? expect.fail(name);

  it('know the word before the caret', () => {
    expect(wordBefore(at('1 + ro|'))).toBe('ro');
    expect(wordBefore(at('t.de|'))).toBe('t.de');
    expect(wordBefore(at('(|'))).toBe('');
  });

  it('offer functions and fields, those that begin with the word first', () => {
    expect(formulaOffers(at('round|'), functions, fields).map(({ label }) => label)).toEqual(['ROUND', 'Rounds']);
    expect(formulaOffers(at('delay|'), functions, fields).map(({ label }) => label)).toEqual(['Delay']);
    expect(formulaOffers(at('|'), functions, fields)).toHaveLength(5);
  });

  it('fill in the template: the field, or what was selected', () => {
    expect(withOffer(at('1 + ro|'), offer('ROUND'), 't.delay').text).toBe('1 + ROUND(t.delay, 2)');
    expect(withOffer(at('|a + b|'), offer('ROUND'), 't.delay').text).toBe('ROUND(a + b, 2)');
    expect(withOffer(at('|'), offer('CONCAT'), '').text).toBe("CONCAT(?, '?')");
    expect(withOffer(at('dela|'), offer('delay'), 't.x').text).toBe('t.delay');
  });

  it('lead the caret to what is still to be filled in', () => {
    const { text, start, end } = withOffer(at('nu|'), offer('NULLIF'), 't.delay');
    expect(text).toBe('NULLIF(t.delay, ?)');
    expect(text.slice(start, end)).toBe('?');
    const { text: whole, start: caret, end: last } = withOffer(at('conc|'), offer('CONCAT'), 't.delay');
    expect([whole, caret, last]).toEqual(["CONCAT(t.delay, '?')", whole.length, whole.length]);
    const odd = { kind: 'function' as const, label: 'ODD', detail: '', template: "ODD('😀?', ?, ?)" };
    const { text: filled, start: open } = withOffer(at('|'), odd, 't.delay');
    expect([filled, open]).toEqual(["ODD('😀?', t.delay, ?)", filled.length - 2]);
  });

  it('name a field by its label where table and column are no plain words', () => {
    const spaced = leaf('Price', 0, 'order details.unit price');
    const [found] = formulaOffers(at('price|'), [], [spaced]);
    expect(withOffer(at('2 * pri|'), found ?? expect.fail('none'), '').text).toBe('2 * [Price]');
    expect(withOffer(at('2 * [pri|]'), found ?? expect.fail('none'), '').text).toBe('2 * [Price]');
    expect(referenceTo({ label: 'Net [EUR]', source: 't.net eur' })).toBe('"Net [EUR]"');
    expect(referenceTo({ label: '', source: 't.net eur' })).toBe('[t].[net eur]');
    expect(referenceTo({ label: '', source: 't.net [eur] "x"' })).toBe('');
    expect(referenceTo(leaf('Delay', 0, 't.delay'))).toBe('t.delay');
  });
});

describe('labels of several words', () => {
  const price = leaf('Unit Price', 0, 'order details.unit price');
  const street = leaf('Größe der Straße', 0, 'o.größe');
  const put = (marked: string, label: string, tree = [price, street]) => {
    const start = marked.indexOf('|');
    const formula = { text: marked.replace('|', ''), start, end: start };
    const found = formulaOffers(formula, [], tree).find((offer) => offer.label === label);
    return withOffer(formula, found ?? expect.fail(label), '').text;
  };

  it.each([
    ['1 + Unit Pr|', '1 + [Unit Price]'],
    ['1 + pri|', '1 + [Unit Price]'],
    ['[Unit Pr|', '[Unit Price]'],
    ['[Unit Pr|ice] * 2', '[Unit Price] * 2'],
    ['[Unit Pr| + [Unit Price]', '[Unit Price] + [Unit Price]'],
    ['"Unit Pr| + "x"', '[Unit Price] + "x"'],
    ['x.unit Pr|', 'x.unit [Unit Price]'],
  ])('are taken as a whole: %s', (marked, wanted) => {
    expect(put(marked, 'Unit Price')).toBe(wanted);
  });

  it('may be written in any alphabet, and are none within a text', () => {
    expect(put('2 * größe der Str|', 'Größe der Straße')).toBe('2 * [Größe der Straße]');
    expect(formulaOffers({ text: "'pri'", start: 4, end: 4 }, [], [price])).toEqual([]);
  });

  it('are named by table and column where another field has the same', () => {
    const twins = [leaf('Name', 0, 'my orders.name'), leaf('name', 0, 'customers.name')];
    expect(formulaOffers({ text: 'nam', start: 3, end: 3 }, [], twins).map(({ template }) => template)).toEqual([
      '[my orders].[name]',
      'customers.name',
    ]);
  });
});

describe('uses and operators', () => {
  const field = { isGroup: false, aggregate: '', type: 'cha', formula: '' };
  const offered = (more: object) => offeredUses({ ...field, ...more } as never).map(({ value }) => value);

  it('only numbers are added up; what the builder does not know stays', () => {
    expect(offered({})).not.toContain('SUM');
    expect(offered({ type: 'num' })).toContain('SUM');
    expect(offered({ formula: 'x' })).toContain('AVG');
    expect(offered({ aggregate: 'MEDIAN' })).toContain('MEDIAN');
    expect(useOf({ isGroup: false, aggregate: 'distinct_count' })).toBe('COUNT DISTINCT');
    expect(useOf({ isGroup: true, aggregate: '' })).toBe('group');
  });

  it('operators are known by any spelling', () => {
    expect(knownOperator('Not_Between')).toBe('not between');
    expect(knownOperator('!=')).toBe('<>');
    expect(knownOperator('sounds like')).toBe('sounds like');
    const offered = offeredOperators().map(({ value }) => value);
    expect(offered.toSorted()).toEqual(operators.toSorted());
    expect(offered.map(knownOperator)).toEqual(offered);
  });
});

describe('the colours of SQL', () => {
  it('lose nothing', () => {
    const sql = `SELECT "a b", 'it''s', 12.5, {?State}, [x y]\n  FROM t -- end`;
    const tokens = sqlTokens(sql);
    expect(tokens.map(({ text }) => text).join('')).toBe(sql);
    expect(tokens.filter(({ kind }) => kind === 'keyword').map(({ text }) => text)).toEqual(['SELECT', 'FROM']);
    expect(tokens.find(({ kind }) => kind === 'prompt')?.text).toBe('{?State}');
    expect(tokens.find(({ kind }) => kind === 'text')?.text).toBe("'it''s'");
  });
});

describe('keys of the editor', () => {
  const press = (key: string, ...held: ('ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey')[]) => {
    const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
    return editorKey({ key, ...none, ...Object.fromEntries(held.map((name) => [name, true])) });
  };
  it('are those of each platform, and no others', () => {
    expect([press('z', 'ctrlKey'), press('z', 'metaKey')]).toEqual(['undo', 'undo']);
    expect([press('y', 'ctrlKey'), press('Z', 'metaKey', 'shiftKey')]).toEqual(['redo', 'redo']);
    expect([press('s', 'ctrlKey'), press('s', 'metaKey')]).toEqual(['save', 'save']);
    // Save As, AltGr and plain letters belong to the editor and the text.
    expect([press('s', 'ctrlKey', 'shiftKey'), press('z', 'ctrlKey', 'altKey'), press('z')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('the place of a problem', () => {
  const field = (index: number, name: string, criteria: object[] = []) => ({
    index,
    name,
    alias: `${name}_1`,
    criteria,
  });
  const total = (index: number, field1: string) => ({ index, field1, field2: '' });
  const report = {
    fields: [field(0, 'State', [{ row: 0 }]), field(1, 'Delay')],
    totals: [total(0, 'Delay_1'), total(1, 'State')],
  } as unknown as Parameters<typeof problemPlace>[1];
  const place = (problem: string, problemField: number | null = null) =>
    problemPlace({ problem, problemField }, report);

  it('is the criteria, the total or the field that the words speak of', () => {
    expect(place('Criteria of "State": needs Value1', 0)).toEqual({ tab: 'criteria', field: 0 });
    expect(place('Criteria of "Delay": needs Value1', 1)).toEqual({ tab: 'fields', field: 1 });
    expect(place('Formula of "State" ends too soon', 0)).toEqual({ tab: 'fields', field: 0 });
    expect(place('The total SUM of "State" requires numbers', 0)).toEqual({ tab: 'totals', total: 1 });
    expect(place('Totals 1: "x" is not a type')).toEqual({ tab: 'totals', total: 0 });
    expect(place('The calculation "%" is not one of + - * /')).toEqual({ tab: 'totals' });
  });

  it('is the total that has no column yet, where words name nothing', () => {
    const problem = { problem: '"" is not a field of the report', problemField: null };
    expect(problemPlace(problem, { ...report, totals: [total(0, 'Delay_1'), total(1, '')] } as typeof report)).toEqual({
      tab: 'totals',
      total: 1,
    });
    expect(place(problem.problem)).toBeUndefined();
  });

  it('is none where it cannot be told', () => {
    expect([place(''), place('The database broke off'), place('Connection lost', null)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('what is typed', () => {
  const answers = () => Promise.withResolvers<void>();

  it('is shown until the last of its edits is answered, and then what the document says', async () => {
    const [first, second] = [answers(), answers()];
    let changes = 0;
    const typed = new TypedText(() => (changes += 1));
    typed.type('a', first.promise);
    typed.type('ab', second.promise);
    expect([typed.text, changes]).toEqual(['ab', 2]);
    first.resolve();
    await first.promise;
    expect(typed.text).toBe('ab');
    second.resolve();
    await second.promise;
    expect([typed.text, changes]).toEqual([undefined, 3]);
  });

  it('gives way to the document after going back to an earlier text, too', async () => {
    const typed = new TypedText(() => undefined);
    for (const text of ['true', 'false', 'true']) typed.type(text, Promise.resolve());
    await Promise.resolve();
    expect(typed.text).toBeUndefined();
  });
});

const column = (index: number, name: string, more: Partial<BuilderField> = {}): BuilderField => ({
  ...{
    index,
    name,
    header: name,
    alias: name,
    source: `t.${name}`,
    type: 'cha',
    isHidden: false,
    isGroup: false,
    aggregate: '',
  },
  ...{ formula: '', sort: null, criteria: [], ...more },
});

describe('columns that totals and linked reports name', () => {
  const fields = [column(0, 'State'), column(1, 'Miles', { alias: '' }), column(2, 'Hidden', { isHidden: true })];

  it('have a name where the report writes none: their header', () => {
    expect(columnChoices(fields).map(({ value }) => value)).toEqual(['State', 'Miles']);
    expect(columnNamed('miles ', fields)?.field.index).toBe(1);
  });

  it('are none for no name, also where a field has none', () => {
    expect([columnNamed('', fields), columnNamed('hidden', fields)]).toEqual([undefined, undefined]);
  });
});

describe('settings of an output type', () => {
  const fields = [
    column(0, 'State'),
    column(1, 'City'),
    column(2, 'Day', { isHidden: true }),
    column(3, 'Flights', { aggregate: 'COUNT' }),
    column(4, 'Miles', { type: 'num' }),
  ];
  const filled = (type: number, list = fields) => outputSlots(type, list).map(({ role, field }) => [role, field?.name]);

  it('are the columns that it draws, as the results decide them by their order', () => {
    expect([filled(1), filled(12)]).toEqual([[], []]);
    expect(filled(6)).toEqual([
      ['category', 'State'],
      ['value', 'Flights'],
    ]);
    expect(filled(8)).toEqual([
      ['down', 'State'],
      ['across', 'City'],
      ['value', 'Flights'],
    ]);
    expect(filled(4)).toEqual([['value', 'Flights']]);
    // A number has to be the category where there is nothing else.
    expect(filled(2, fields.slice(3))).toEqual([
      ['category', 'Flights'],
      ['value', 'Miles'],
    ]);
    expect(filled(2, [])).toEqual([
      ['category', undefined],
      ['value', undefined],
    ]);
  });

  it('move the field that is chosen to where it counts, past hidden ones', () => {
    const [category, value] = outputSlots(6, fields);
    if (!category || !value) expect.fail('no slots');
    expect(fillSlot(category, 1, fields)).toEqual({ kind: 'moveField', field: 1, place: 0 });
    expect(fillSlot(value, 4, fields)).toEqual({ kind: 'moveField', field: 4, place: 3 });
    expect([fillSlot(category, 0, fields), fillSlot(value, 9, fields)]).toEqual([undefined, undefined]);
    const front = [column(0, 'Miles', { type: 'num' }), ...[1, 2].map((at) => column(at, `C${at}`))];
    const last = outputSlots(6, front).at(-1);
    expect(last && fillSlot(last, 0, front)).toEqual({ kind: 'moveField', field: 0, place: 2 });
  });

  it('offer what rows may be grouped by', () => {
    expect(groupChoices(12, fields).map(({ name }) => name)).toEqual(['State', 'City']);
    expect(groupChoices(1, fields)).toEqual([]);
  });
});
