import { describe, expect, it } from 'vitest';
import { PromptChoicesSource, promptValuesLimit } from '../../../../../src/features/reports/prompts/promptChoices.ts';
import type { FieldValue } from '../../../../../src/features/reports/prompts/promptChoices.ts';
import { PromptMemory } from '../../../../../src/features/reports/prompts/promptMemory.ts';
import { promptShape } from '../../../../../src/features/reports/prompts/promptFields.ts';
import { emptyPromptValue } from '../../../../../src/contract/pages/promptForm.ts';
import { prompt } from './prompts.ts';

const today = () => '2024-02-29';

function sourceOf(values: FieldValue[] | Error) {
  let reads = 0;
  const source = new PromptChoicesSource(async () => {
    reads++;
    if (values instanceof Error) throw values;
    return values;
  }, today);
  return { source, reads: () => reads };
}

describe('values offered for a prompt', () => {
  const airports = [
    { key: 'SFO', val: 'San Francisco International' },
    { key: 'OAK', val: 'Metropolitan Oakland' },
    { key: 'FAT', val: 'Fresno' },
  ];

  it('are read once, and found by what is shown and by what is sent', async () => {
    const { source, reads } = sourceOf(airports);
    const found = async (search: string) => (await source.find(0, prompt(), search)).choices.map(({ value }) => value);
    expect(await found('')).toEqual(['SFO', 'OAK', 'FAT']);
    expect(await found('fr')).toEqual(['FAT', 'SFO']);
    expect(await found('oak')).toEqual(['OAK']);
    expect(await found('xyz')).toEqual([]);
    expect(reads()).toBe(1);
  });

  it('are asked for again after a failure', async () => {
    const { source, reads } = sourceOf(new Error('down'));
    await expect(source.find(0, prompt(), '')).rejects.toThrow('down');
    await expect(source.find(0, prompt(), '')).rejects.toThrow('down');
    expect(reads()).toBe(2);
  });

  it('show relative dates with the days they stand for', async () => {
    const { source } = sourceOf([{ key: '[Last Month]', val: '[Last Month]' }]);
    expect((await source.find(0, prompt(), '')).choices).toEqual([
      {
        value: '[Last Month]',
        label: 'Last Month',
        dates: { low: '2024-01-01', high: '2024-01-31' },
        isRelative: true,
      },
    ]);
  });

  it('are days as the prompt takes them: the end that it compares with, and single days where a month is none', async () => {
    const listed = ['[Today]', '[Last Month]', '2001-03-01T00:00:00', '2001-03-01 08:30:00', '[no such day]'];
    const { source } = sourceOf(listed.map((key) => ({ key, val: key })));
    const days = async (change: Parameters<typeof prompt>[0]) => {
      const asked = prompt({ type: 'dtz', ...change });
      const { choices } = await source.find(0, asked, '', promptShape(asked));
      return choices.map(({ dates }) => (dates?.low === dates?.high ? dates?.low : dates));
    };
    const single = ['2024-02-29', '2001-03-01', '2001-03-01 08:30:00'];
    const [today, ...others] = single;
    expect(await days({ op: '=' })).toEqual(single);
    expect(await days({ isInList: true, op: 'in' })).toEqual(single);
    expect(await days({ isBetween: true, op: 'between' })).toEqual([
      today,
      { low: '2024-01-01', high: '2024-01-31' },
      ...others,
    ]);
    expect(await days({ isLessThan: true, op: '<=' })).toEqual([today, '2024-01-31', ...others]);
    expect(await days({ isGreaterThan: true, op: '>' })).toEqual([today, '2024-01-31', ...others]);
    expect(await days({ isGreaterThan: true, op: '>=' })).toEqual([today, '2024-01-01', ...others]);
    expect(await days({ type: 'doz' })).toEqual(['2024-02-29', '2001-03-01', '2001-03-01']);
  });

  it('take numbers and truth values for text, and drop what is neither', async () => {
    const { source } = sourceOf([
      { key: 7, val: 7 },
      { key: null, val: null },
      { key: false },
      { val: 'only shown' },
      {},
    ]);
    expect((await source.find(0, prompt(), '')).choices.map(({ value }) => value)).toEqual([
      '7',
      'false',
      'only shown',
    ]);
  });

  it('say that the server cut its list short', async () => {
    const { source } = sourceOf(Array.from({ length: promptValuesLimit }, (_, i) => ({ key: `v${i}`, val: `v${i}` })));
    const found = await source.find(0, prompt(), 'v1');
    expect(found).toMatchObject({ isLimited: true, listed: promptValuesLimit, matches: 1 + 10 + 100 + 1000 });
    expect(found.choices).toHaveLength(200);
  });
});

describe('lists that a server cut short', () => {
  it.each([
    [promptValuesLimit, true, true],
    [500, false, true],
    [499, false, false],
    [0, false, false],
  ])('are known by their entries, empty and equal ones among them: %i', async (count, isLimited, isRound) => {
    const { source } = sourceOf(Array.from({ length: count }, (_, i) => ({ key: i === 0 ? null : `v${i >> 1}` })));
    expect(await source.find(0, prompt(), '')).toMatchObject({ listed: count, isLimited, isRound });
  });
});

describe('values last used', () => {
  const shapes = [prompt(), prompt({ name: 'Delay', isGreaterThan: true, isSkipable: true })].map((each) =>
    promptShape(each),
  );
  const values = [
    { ...emptyPromptValue, low: 'CA' },
    { ...emptyPromptValue, isSkipped: true },
  ];

  function memory() {
    const kept = new Map<string, unknown>();
    return new PromptMemory({
      get: (key) => kept.get(key),
      // As an editor does: through JSON.
      update: async (key, value) => void kept.set(key, JSON.parse(JSON.stringify(value))),
    });
  }

  it('come back for the same report on the same connection only', async () => {
    const store = memory();
    await store.keep('one', '7', shapes, values);
    expect(store.recall('one', '7', shapes)).toEqual(values);
    expect(store.recall('two', '7', shapes)).toEqual([undefined, undefined]);
    expect(store.recall('one', '8', shapes)).toEqual([undefined, undefined]);
  });

  it('follow their prompt when others came before it', async () => {
    const store = memory();
    await store.keep('one', '7', shapes, values);
    const [state, delay] = shapes;
    const added = promptShape(prompt({ name: 'City' }));
    expect(store.recall('one', '7', [added, ...(state ? [state] : []), ...(delay ? [delay] : [])])).toEqual([
      undefined,
      ...values,
    ]);
  });

  it('are not skipped any more when they may not be', async () => {
    const store = memory();
    await store.keep('one', '7', shapes, values);
    const mandatory = shapes.map((shape) => ({ ...shape, isSkipable: false }));
    expect(store.recall('one', '7', mandatory)[1]).toEqual(emptyPromptValue);
  });

  it('are forgotten when what was kept is of another form', () => {
    const store = new PromptMemory({ get: () => [{ name: 3 }], update: async () => undefined });
    expect(store.recall('one', '7', shapes)).toEqual([undefined, undefined]);
  });
});

describe('values kept under names', () => {
  const owner = { connectionId: 'one', reportId: '7' };
  const shapes = [promptShape(prompt({ name: 'State' }))];
  const value = (low: string) => [{ ...emptyPromptValue, low }];

  function memory() {
    const kept = new Map<string, unknown>();
    const presets = new PromptMemory({
      get: (key) => kept.get(key),
      update: async (key, value) => void kept.set(key, value),
    });
    return { kept, presets };
  }

  it('are kept per report and server, and listed by name', async () => {
    const { presets } = memory();
    await presets.keepPreset(owner, 'West', shapes, value('CA'));
    await presets.keepPreset(owner, 'east', shapes, value('NY'));
    expect(presets.presetNames(owner)).toEqual(['east', 'West']);
    expect(presets.recallPreset(owner, 'West', shapes)).toEqual(value('CA'));
    expect(presets.presetNames({ ...owner, reportId: '8' })).toEqual([]);
    expect(presets.recallPreset({ ...owner, connectionId: 'two' }, 'West', shapes)).toBeUndefined();
  });

  it('replace those of the same name, and leave the values last used alone', async () => {
    const { presets } = memory();
    await presets.keep('one', '7', shapes, value('TX'));
    await presets.keepPreset(owner, 'West', shapes, value('CA'));
    await presets.keepPreset(owner, 'West', shapes, value('OR'));
    expect(presets.presetNames(owner)).toEqual(['West']);
    expect(presets.recallPreset(owner, 'West', shapes)).toEqual(value('OR'));
    expect(presets.recall('one', '7', shapes)).toEqual(value('TX'));
  });

  it('go when they are removed, and leave nothing behind', async () => {
    const { presets, kept } = memory();
    await presets.keepPreset(owner, 'West', shapes, value('CA'));
    await presets.removePreset(owner, 'West');
    expect(presets.presetNames(owner)).toEqual([]);
    expect([...kept.values()]).toEqual([undefined]);
  });

  it('hold nothing for a prompt that came later, or asks for something else now', async () => {
    const { presets } = memory();
    await presets.keepPreset(owner, 'West', shapes, value('CA'));
    const others = [promptShape(prompt({ name: 'City' })), ...shapes];
    expect(presets.recallPreset(owner, 'West', others)).toEqual([undefined, ...value('CA')]);
  });
});
