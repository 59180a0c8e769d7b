import fc from 'fast-check';

/** White space that JSON allows between tokens; mostly none. */
const space = fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.stringMatching(/^[ \t\r\n]{1,3}$/));

const hex = fc.stringMatching(/^[0-9a-fA-F]{4}$/);

/** One character of a string as JSON may write it: as it is, escaped short, escaped by code, half a surrogate pair. */
const characters = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.string({ unit: 'binary', maxLength: 4 }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.stringMatching(/^[ -!#-[\]-~]{0,12}$/),
  hex.map((code) => `\\u${code}`),
  fc.constantFrom(
    '\\"',
    '\\\\',
    '\\/',
    '\\b',
    '\\f',
    '\\n',
    '\\r',
    '\\t',
    '\\u0000',
    '\\uD83D\\uDE00',
    '\\uD83D',
    '😀',
    'ß',
  ),
);
const text = fc.array(characters, { maxLength: 4 }).map((all) => `"${all.join('')}"`);

/**
 * Whether JSON text has a key with a backslash in it. Once V8 has parsed an object whose second key is a backslash, its
 * JSON.parse takes escaped keys in that place, such as `"\\n"`, for the same key (Node 24): no oracle for those.
 */
export function hasBackslashKey(json: string): boolean {
  const strings = json.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g);
  return [...strings].some(([, content = '', colon]) => colon !== undefined && /\\\\|\\u005c/i.test(content));
}
const anyKey = text.filter((json) => !hasBackslashKey(`${json}:`));

const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/),
);

const word = fc.constantFrom('null', 'true', 'false');

const list = (open: string, close: string, items: fc.Arbitrary<string>, maxLength: number) =>
  fc.tuple(fc.array(fc.tuple(space, items, space), { maxLength }), space).map(([all, empty]) => {
    return open + (all.length === 0 ? empty : all.map((parts) => parts.join('')).join(',')) + close;
  });

const member = (key: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.tuple(key, space, space, value).map(([name, before, after, content]) => `${name}${before}:${after}${content}`);

/** Any JSON value, as text. */
const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: text },
    { weight: 3, arbitrary: number },
    { weight: 2, arbitrary: word },
    { weight: 1, arbitrary: list('[', ']', tie('value'), 3) },
    { weight: 1, arbitrary: list('{', '}', member(anyKey, tie('value')), 3) },
  ),
})).value;

/** Keys repeat from row to row, and some are awkward. */
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('"a"', '"b"', '"Total cost"', '"d\\u0065lay"', '"delay"', '"ключ"', '""') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"__proto__"', '"constructor"', '"toString"', '"\\ud800"', '"Data"', '"length"'),
  },
  { weight: 1, arbitrary: anyKey },
);

/** Rows: objects whose keys come in any order, are missing, repeat, and hold anything. */
const rows = list('[', ']', list('{', '}', member(key, value), 6), 12);

const columns = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'delay', '__proto__', 'ключ', 'never'), { maxLength: 6 })
  .map((keys) => JSON.stringify(keys.map((name) => ({ key: name, headerText: name.toUpperCase(), width: 100 }))));

const otherName = fc.constantFrom('"groups"', '"jqxColumns"', '"__proto__"', '"etime"', '"new"');

/** A whole reply without HasError: its members in any order, `Data` among them, and members nobody knows. */
export const reply: fc.Arbitrary<string> = fc
  .record({
    data: fc.oneof({ weight: 9, arbitrary: rows }, { weight: 1, arbitrary: fc.constant('null') }),
    listed: columns,
    others: fc.uniqueArray(fc.tuple(otherName, value), { maxLength: 4, selector: ([name]) => name }),
    places: fc.array(fc.nat(), { minLength: 7, maxLength: 7 }),
    spaces: fc.tuple(space, space, space, space),
  })
  .map(({ data, listed, others, places, spaces }) => {
    const members = [['"Data"', data], ['"Columns"', listed], ['"ErrorCode"', '0'], ...others]
      .map(([name, content], i) => ({
        text: `${spaces[0]}${name}${spaces[1]}:${spaces[2]}${content}`,
        place: places[i] ?? 0,
      }))
      .sort((one, other) => one.place - other.place);
    return `${spaces[3]}{${members.map((each) => each.text).join(',')}${spaces[1]}}${spaces[0]}`;
  });

/** Sizes of the pieces in which a reply arrives. */
export const pieceSizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

/** Cells of one column, mostly alike: as WebAssembly reads them and as it leaves them to the twin. */
const compactCells = fc.constantFrom(
  fc.oneof(number, fc.integer({ min: -999, max: 999 }).map(String)),
  fc.constantFrom(
    '"Denver, CO"',
    '"Dallas Fort Worth, TX"',
    '""',
    '"ß"',
    '"a text of more than forty-eight bytes, in one column"',
    'null',
  ),
  fc.oneof({ weight: 3, arbitrary: fc.stringMatching(/^[ -!#-[\]-~]{0,60}$/).map((each) => `"${each}"`) }, text),
  word,
  value,
);

/** Rows that mostly repeat the same keys without white space, so that WebAssembly reads them. */
const alikeRows = fc
  .uniqueArray(key, { minLength: 1, maxLength: 5 })
  .chain((keys) => fc.tuple(fc.constant(keys), fc.tuple(...keys.map(() => compactCells))))
  .chain(([keys, kinds]) => {
    const usual = fc.tuple(...kinds).map((cells) => `{${cells.map((cell, i) => `${keys[i]}:${cell}`).join(',')}}`);
    const unusual = list('{', '}', member(key, value), 6);
    return fc.array(fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: unusual }), { maxLength: 40 });
  });

/** Keys of which WebAssembly takes all but the last two, which are too short and too long for it. */
const movingKeys = ['"a"', '"b"', '"d\\u0065lay"', '"ключ"', '""', `"${'long key '.repeat(8)}"`];

/** Rows whose texts repeat in every column, while columns change their places, go and come back after some rows. */
const movingRows = fc
  .array(
    fc.tuple(fc.shuffledSubarray(movingKeys, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(2), { maxLength: 25 })),
    {
      minLength: 2,
      maxLength: 5,
    },
  )
  .map((runs) =>
    runs.flatMap(([keys, cells]) =>
      cells.map((cell) => `{${keys.map((each, i) => `${each}:"text ${(cell + i) % 3}"`).join(',')}}`),
    ),
  );

/** A reply of such rows. */
export const compactRows: fc.Arbitrary<string> = fc
  .oneof({ weight: 4, arbitrary: alikeRows }, { weight: 1, arbitrary: movingRows })
  .map((all) => `{"Data":[${all.join(',')}]}`);

/** Removes or inserts a few characters somewhere. */
export const damage: fc.Arbitrary<(text: string) => string> = fc
  .record({
    at: fc.nat(),
    remove: fc.integer({ min: 0, max: 2 }),
    insert: fc.stringMatching(/^[\]}[{,:"\\0-9eE.+\-tnu ]{0,2}$/),
  })
  .map(({ at, remove, insert }) => (text) => {
    const place = at % text.length;
    return text.slice(0, place) + insert + text.slice(place + remove);
  });
