import { describe, expect, it } from 'vitest';
import { ClientError } from '../../../../../src/client/clientError.ts';
import { readResult } from '../../../../../src/client/results/readResult.ts';
import type { Prompt, ReportMetadata } from '../../../../../src/contract/resources/report.ts';
import { emptyPromptValue, type PromptValue } from '../../../../../src/contract/pages/promptForm.ts';
import { unpackRows } from '../../../../../src/contract/pages/resultCells.ts';
import { PromptMemory } from '../../../../../src/features/reports/prompts/promptMemory.ts';
import type { DrillOrigin, ReportCalls, RunHow } from '../../../../../src/features/reports/run/reportCalls.ts';
import { ReportRun } from '../../../../../src/features/reports/run/reportRun.ts';
import type { StoredResult, LastRun, RunTexts } from '../../../../../src/features/reports/run/runOptions.ts';
import { outputWords } from '../charts/outputWords.ts';
import { chunksOf, replyText } from '../view/results.ts';
import { prompt } from '../prompts/prompts.ts';

const words: RunTexts = {
  help: () => '',
  fault: ({ fault }) => fault,
  choicesNotice: ({ matches }) => `${matches} found`,
  choicesFailure: () => 'no values',
  decimalSign: ',',
  chip: (shape, value) => `${shape.comparison} ${value.low}`,
  failure: (error) => ({ kind: 'other', title: 'Could not run', cause: String(error), remedy: '' }),
  refused: (message, code) => ({ kind: 'refused', title: 'Refused', cause: `${code} ${message}`, remedy: '' }),
  otherUser: (bound, user) => ({ kind: 'other', title: `${bound}, not ${user}`, cause: '', remedy: '' }),
  unprompted: () => 'without prompts',
  limitNotice: (rows) => (rows === 1 ? 'just one' : ''),
  typeName: () => '',
  output: outputWords,
};
const columns = [{ key: 'city', yurbitype: 'cha' }];
const oslo = [{ city: 'Oslo' }];

/** A server that is asked nothing over a wire: `reply` is what a run answers, `prompts` what the report asks. */
class FakeServer implements ReportCalls {
  hasNoSql: true | undefined;
  sql = async () => 'SELECT 1';
  platform = async () => 'postgresql';
  zones = async () => ({ timeZone: 'UTC' });
  prompts: Prompt[] | null = null;
  reply: () => AsyncIterable<Uint8Array> = () => chunksOf(replyText(columns, oslo), 1e6);
  failure: Error | undefined;
  answerFailure: Error | undefined;
  topN: number | null = null;
  readonly answers: (readonly Prompt[])[] = [];
  readonly runs: ({ metadata: ReportMetadata } & RunHow)[] = [];
  readonly targets: boolean[] = [];

  async metadata(_id: string, _signal?: AbortSignal, isTarget = false): Promise<ReportMetadata> {
    this.targets.push(isTarget);
    if (this.failure) throw this.failure;
    return { Report: { ReportID: '7', TopN: this.topN }, Prompts: this.prompts };
  }
  async fieldValues(): Promise<{ key: string; val: string }[]> {
    return [{ key: 'CA', val: 'California' }];
  }
  async answer(metadata: ReportMetadata, prompts: readonly Prompt[]): Promise<ReportMetadata> {
    this.answers.push(prompts);
    if (this.answerFailure) throw this.answerFailure;
    return { ...metadata, Report: { ...metadata.Report, answered: true } };
  }
  async run(metadata: ReportMetadata, how: RunHow, options: { signal?: AbortSignal }) {
    this.runs.push({ metadata, ...how });
    return readResult(this.reply(), options);
  }
}

function setUp(change: Partial<FakeServer> = {}, restored?: LastRun & { kept?: StoredResult }, drill?: DrillOrigin) {
  const server = Object.assign(new FakeServer(), change);
  const kept = new Map<string, unknown>();
  const told: string[] = [];
  let user = 'ada';
  const memory = new PromptMemory({
    get: (key) => kept.get(key),
    update: async (key, value) => void kept.set(key, value),
  });
  const run: ReportRun = new ReportRun(
    {
      target: { connectionId: 'c', reportId: '7', name: 'Delays' },
      calls: server,
      memory,
      words,
      language: 'en',
      place: () => ({ server: 'Local', user }),
      isLocal: () => true,
      now: () => new Date(2024, 0, 1),
      drill,
      trail: drill && ['States'],
      listener: {
        stateChanged: () => void told.push(run.state.phase.kind),
        gridChanged: () => void told.push(run.view === undefined ? 'no grid' : 'grid'),
        gridGrew: () => void told.push('grew'),
        formChanged: () => void told.push(run.prompts.form === null ? 'no form' : 'form'),
        valuesChanged: () => void told.push('values'),
      },
    },
    restored,
  );
  return { server, run, told, become: (name: string) => (user = name) };
}

const cells = (run: ReportRun) => (run.view === undefined ? undefined : unpackRows(run.view.shape.first));
const value = (low: string): PromptValue => ({ ...emptyPromptValue, low });
const settled = async (run: ReportRun) => {
  while (['preparing', 'waiting', 'streaming'].includes(run.state.phase.kind)) await new Promise(setImmediate);
};

it('says whether there is SQL to show', () => {
  expect(setUp().run.state.hasNoSql).toBeUndefined();
  expect(setUp({ hasNoSql: true }).run.state.hasNoSql).toBe(true);
});

describe('rows that were kept of an earlier run', () => {
  it('are shown without asking the server, and run again with the same values', async () => {
    const { store, done } = readResult(chunksOf(replyText(columns, oslo), 1e6));
    await done;
    const progress = { rows: 1, bytes: store.bytes, elapsedMs: 5 };
    const phase = { kind: 'done', progress, isCached: false, isLimited: false, notice: 'kept' } as const;
    const prepared: ReportMetadata = { Report: { ReportID: '7', OutputType: 2 }, Prompts: null };
    const kept = { store, prepared, zones: { timeZone: 'UTC' }, phase, startedAt: new Date(0) };
    const { run, server } = setUp({}, { values: [], chips: [], kept });
    expect(setUp({}, { values: [], chips: [], kept, user: 'eve' }).run.state.user).toBe('eve');
    const asking = setUp({ prompts: [prompt()] }, { values: [value('CA')], chips: [], kept });
    await asking.run.openPrompts();
    expect(asking.run.state.phase).toEqual(phase);
    expect(asking.run.prompts.form?.values).toEqual([value('CA')]);
    expect([run.state.phase, run.state.output, cells(run)]).toEqual([phase, 'chart', [['Oslo']]]);
    expect([server.runs.length, server.targets.length]).toEqual([0, 0]);
    await run.view?.arrange({ sort: [], filters: { 0: 'Rome' }, search: '' });
    expect(run.view?.shape.rows).toBe(0);
    await run.run();
    await settled(run);
    expect([run.state.phase.kind, server.runs.length]).toEqual(['done', 1]);
  });
});

describe('the details of a run', () => {
  it('hold what was sent, and say why there is no SQL', async () => {
    const { run, server } = setUp();
    await run.start();
    expect(await run.details()).toMatchObject({ report: 'Delays', reportId: '7', prompts: [], sql: 'SELECT 1' });
    server.sql = async () =>
      Promise.reject(new ClientError('unreachable', 'Local cannot be reached', { server: 'Local' }));
    expect(await run.details()).toMatchObject({ sqlUnavailable: 'Local cannot be reached' });
  });
});

describe('a report without prompts', () => {
  it('runs at once and says what came', async () => {
    const { run, server, told } = setUp({ topN: 1 });
    await run.start();
    expect(told.filter((event) => event !== 'streaming' && event !== 'grew')).toEqual([
      'preparing',
      'values',
      'waiting',
      'grid',
      'done',
    ]);
    expect(cells(run)).toEqual([['Oslo']]);
    expect(run.state).toMatchObject({
      title: 'Delays',
      server: 'Local',
      user: 'ada',
      hasPrompts: false,
      chips: [],
      phase: {
        kind: 'done',
        serverMs: 12,
        databaseMs: 7,
        isCached: false,
        isLimited: true,
        notice: 'just one',
        progress: { rows: 1 },
      },
    });
    expect(server.runs.map(({ isCacheOk }) => isCacheOk)).toEqual([true]);
  });

  it('reads the data anew when run again', async () => {
    const { run, server } = setUp();
    await run.start();
    await run.run();
    expect(server.runs.map(({ isCacheOk }) => isCacheOk)).toEqual([true, false]);
    expect(run.state.phase.kind).toBe('done');
  });

  it('shows an empty result as one', async () => {
    const { run } = setUp({ reply: () => chunksOf(replyText(columns, []), 1e6) });
    await run.start();
    expect(run.view?.shape).toMatchObject({ rows: 0, totalRows: 0 });
    expect(run.state.phase).toMatchObject({ kind: 'done', progress: { rows: 0 } });
  });

  it('says what the server refuses', async () => {
    const refusal = JSON.stringify({ HasError: true, ErrorCode: 0, ErrorMessage: 'no such column', Data: null });
    const { run } = setUp({ reply: () => chunksOf(refusal, 1e6) });
    await run.start();
    expect(run.state.phase).toMatchObject({
      kind: 'failed',
      failure: { kind: 'refused', cause: '9001 no such column' },
    });
  });

  it('keeps the rows that came before a reply broke off', async () => {
    const whole = replyText(
      columns,
      Array.from({ length: 500 }, () => ({ city: 'Oslo' })),
    );
    const { run } = setUp({ reply: () => chunksOf(whole.slice(0, whole.length / 2), 1e6) });
    await run.start();
    expect(run.state.phase).toMatchObject({ kind: 'failed' });
    expect(run.view?.shape.rows).toBeGreaterThan(200);
  });

  it('keeps the rows of the last run when it cannot run again', async () => {
    const { run, server } = setUp();
    await run.start();
    server.failure = new Error('down');
    await run.run();
    expect(run.state.phase).toMatchObject({ kind: 'failed', failure: { cause: 'Error: down' } });
    expect(cells(run)).toEqual([['Oslo']]);
    server.failure = undefined;
    await run.run();
    expect(run.state.phase.kind).toBe('done');
  });

  it('stays bound to the user who ran it until it runs again', async () => {
    const { run, become } = setUp();
    await run.start();
    become('grace');
    expect(run.state.user).toBe('ada');
    await run.run();
    // Asked first whether to go on as grace, whose rows these are not.
    expect(run.state).toMatchObject({ phase: { kind: 'failed' }, user: 'ada' });
    await run.run();
    expect(run.state).toMatchObject({ phase: { kind: 'done' }, user: 'grace' });
  });
});

describe('cancelling', () => {
  /** A reply whose second half comes only when the test lets it. */
  function halfway() {
    const text = replyText(
      columns,
      Array.from({ length: 2_000 }, (_, i) => ({ city: `c${i}` })),
    );
    const never = new Promise<void>(() => undefined);
    return () => chunksOf(text, Math.floor(text.length / 2), () => never);
  }

  it('keeps the rows that came', async () => {
    const { run, told } = setUp({ reply: halfway() });
    const running = run.start();
    while (run.state.phase.kind !== 'streaming') await new Promise(setImmediate);
    run.cancel();
    await running;
    const rows = run.view?.shape.totalRows;
    expect(rows).toBeGreaterThan(900);
    expect(run.state.phase).toMatchObject({ kind: 'cancelled', progress: { rows } });
    expect(told.at(-1)).not.toBe('streaming');
  });

  it('does nothing when nothing is under way', async () => {
    const { run } = setUp();
    await run.start();
    run.cancel();
    expect(run.state.phase.kind).toBe('done');
  });

  it('by the session is no failure', async () => {
    const { run } = setUp({ failure: new ClientError('cancelled', 'given up', { server: 'Local' }) });
    await run.start();
    expect(run.state.phase.kind).toBe('cancelled');
  });

  it('another run ends the one under way, whose outcome no longer counts', async () => {
    const { run, server } = setUp({ reply: halfway() });
    const first = run.start();
    while (run.state.phase.kind !== 'streaming') await new Promise(setImmediate);
    server.reply = () => chunksOf(replyText(columns, oslo), 1e6);
    await run.run();
    await first;
    expect(run.state.phase).toMatchObject({ kind: 'done', progress: { rows: 1 } });
    expect(cells(run)).toEqual([['Oslo']]);
  });
});

describe('a report with prompts', () => {
  const prompts = [prompt({ name: 'State', LowValue: 'NY' }), prompt({ name: 'Delay', type: 'num', isSkipable: true })];

  it('asks first, offers the defaults, and sends every prompt in its place', async () => {
    const { run, server } = setUp({ prompts });
    await run.start();
    expect(run.state.phase.kind).toBe('asking');
    expect(run.prompts.form?.values).toEqual([value('NY'), emptyPromptValue]);
    expect(run.submit([value('CA'), value('x')])).toEqual([{ index: 1, part: 'low', message: 'notANumber' }]);
    expect(server.runs).toHaveLength(0);
    expect(run.submit([value('CA'), emptyPromptValue])).toEqual([]);
    await settled(run);
    expect(run.prompts.form).toBeNull();
    expect(server.answers[0]).toMatchObject([{ LowValue: 'CA' }, { isSkipped: true, LowValue: null }]);
    expect(server.runs[0]?.metadata.Report).toMatchObject({ answered: true });
    expect(run.report).toMatchObject({ answered: true });
    expect(run.state.chips[0]).toEqual({ label: 'State', text: 'equals CA' });
  });

  it('shows what the server says of a value beside its prompt, with the values that were sent', async () => {
    const { run, server, told } = setUp({ prompts: [prompt(), prompt({ name: 'Delay', isInList: true })] });
    await run.start();
    const refused = new ClientError('refused', 'The prompt "Delay" cannot take the value', {
      server: 'Local',
      prompt: 1,
    });
    server.answerFailure = refused;
    const sent = [value('CA'), { ...value(''), list: ['x'] }];
    expect(run.submit(sent)).toEqual([]);
    await settled(run);
    expect([run.state.phase.kind, server.runs.length, told.at(-1)]).toEqual(['asking', 0, 'asking']);
    expect(run.prompts.form).toMatchObject({
      values: sent,
      problems: [{ index: 1, part: 'list', message: refused.message }],
    });
    server.answerFailure = undefined;
    expect(run.submit([value('CA'), { ...value(''), list: ['5'] }])).toEqual([]);
    await settled(run);
    expect([run.state.phase.kind, server.runs.length, run.prompts.form]).toEqual(['done', 1, null]);
    await run.openPrompts();
    expect(run.prompts.form?.problems).toEqual([]);
  });

  it('takes numbers as the language writes their decimals, and sends a point', async () => {
    const asked = [
      prompt({ name: 'Low', type: 'num', isBetween: true }),
      prompt({ name: 'Any', type: 'cur', isInList: true }),
      prompt({ name: 'Text' }),
    ];
    const { run, server } = setUp({ prompts: asked });
    await run.start();
    const list = { ...value('0,25'), list: ['1,5', '2'] };
    expect(run.submit([{ ...value('-1,5'), high: '-1,25' }, list, value('1,5')])).toEqual([]);
    await settled(run);
    expect(server.answers.at(-1)).toMatchObject([
      { LowValue: '-1.5', HighValue: '-1.25' },
      { LowValue: '1.5,2,0.25' },
      { LowValue: '1,5' },
    ]);
    const wrong = { ...value('1.000,5'), high: '1,2,3' };
    expect(run.submit([wrong, list, value('x')]).map(({ part, message }) => [part, message])).toEqual([
      ['low', 'notANumber'],
      ['high', 'notANumber'],
    ]);
  });

  it('does not ask for what compares with nothing, and filters by it all the same', async () => {
    const [empty, skipable] = [prompt({ op: 'is null' }), prompt({ op: 'is not null', isSkipable: true })];
    const { run, server } = setUp({ prompts: [empty] });
    await run.start();
    await settled(run);
    expect([run.state.phase.kind, run.state.hasPrompts, run.prompts.form]).toEqual(['done', false, null]);
    expect(server.answers).toEqual([[{ ...empty, isSkipped: false }]]);
    await run.run();
    await settled(run);
    expect([run.state.phase.kind, server.answers.length, server.runs.length]).toEqual(['done', 2, 2]);

    server.prompts = [empty, skipable];
    await run.start();
    expect(run.state.phase.kind).toBe('asking');
    expect(run.submit([emptyPromptValue, emptyPromptValue])).toEqual([]);
    await settled(run);
    expect(server.answers.at(-1)).toMatchObject([{ isSkipped: false }, { isSkipped: false }]);
    expect(run.state.chips).toEqual([{ label: 'State', text: 'isNotEmpty ' }]);
  });

  it('fills in a default that is a relative date with the day that it is', async () => {
    const { run } = setUp({ prompts: [prompt({ name: 'Day', type: 'doz', LowValue: '[Today]' })] });
    await run.start();
    expect(run.prompts.form?.values[0]).toMatchObject({ low: '2024-01-01', relative: [{ label: 'Today' }] });
  });

  it('remembers the values for the next time', async () => {
    const { run } = setUp({ prompts });
    await run.start();
    run.submit([value('CA'), value('5')]);
    await settled(run);
    await run.start();
    expect(run.state.phase.kind).toBe('asking');
    expect(run.prompts.form?.values).toEqual([value('CA'), value('5')]);
    expect(run.view).toBeUndefined();
  });

  it('runs again without asking, unless the report asks for something else by now', async () => {
    const { run, server } = setUp({ prompts });
    await run.start();
    run.submit([value('CA'), value('5')]);
    await settled(run);
    await run.run();
    expect(server.answers).toHaveLength(2);
    expect(run.state.phase.kind).toBe('done');
    server.prompts = [...prompts, prompt({ name: 'City' })];
    await run.run();
    expect(run.state.phase.kind).toBe('asking');
    expect(run.prompts.form?.fields).toHaveLength(3);
  });

  it('gives each value to the prompt it was entered for, where the report asks in another order by now', async () => {
    const both = [prompt({ name: 'From' }), prompt({ name: 'To' })];
    const { run, server } = setUp({ prompts: both });
    await run.start();
    run.submit([value('OSL'), value('LIM')]);
    await settled(run);
    server.prompts = both.toReversed();
    await run.run();
    expect(server.answers.at(-1)?.map(({ LowValue }) => LowValue)).toEqual(['LIM', 'OSL']);
    const restored = setUp({ prompts: both }, run.lastRun);
    await restored.run.run();
    expect(restored.server.answers.at(-1)?.map(({ LowValue }) => LowValue)).toEqual(['OSL', 'LIM']);
  });

  it('asks where it asks for something else by now, and puts no value into the place of another', async () => {
    const { run, server } = setUp({ prompts });
    await run.start();
    run.submit([value('CA'), value('5')]);
    await settled(run);
    server.prompts = [prompt({ name: 'City', LowValue: 'Rome' }), prompts[1] ?? prompt()];
    await run.run();
    expect(run.state.phase.kind).toBe('asking');
    expect(server.runs).toHaveLength(1);
    expect(run.prompts.form?.values.map(({ low }) => low)).toEqual(['Rome', '5']);
  });

  it('takes the values of a form for the prompts that the form shows, also when the report was read anew meanwhile', async () => {
    const both = [prompt({ name: 'From' }), prompt({ name: 'To' })];
    const { run, server } = setUp({ prompts: both });
    await run.start();
    run.submit([value('OSL'), value('LIM')]);
    await settled(run);
    server.prompts = both.toReversed();
    const running = run.run();
    await run.openPrompts();
    await running;
    expect(run.prompts.form?.fields.map(({ label }) => label)).toEqual(['From', 'To']);
    run.submit([value('ROM'), value('LIM')]);
    await settled(run);
    expect(server.answers.at(-1)?.map(({ LowValue }) => LowValue)).toEqual(['LIM', 'ROM']);
  });

  it('shows the rows of the run before with the values and the user of that run', async () => {
    const { run, server, become } = setUp({ prompts });
    await run.start();
    run.submit([value('CA'), value('5')]);
    await settled(run);
    const { chips } = run.state;
    const before = await run.details();
    server.answerFailure = new Error('no');
    run.submit([value('TX'), value('6')]);
    await settled(run);
    expect(run.state).toMatchObject({ phase: { kind: 'failed' }, chips, user: 'ada' });
    expect(run.tried).toEqual({
      server: 'Local',
      user: 'ada',
      chips: [
        { label: 'State', text: 'equals TX' },
        { label: 'Delay', text: 'equals 6' },
      ],
    });
    expect(await run.details()).toEqual(before);
    become('bob');
    await run.run();
    expect(run.state).toMatchObject({ phase: { failure: { title: 'ada, not bob' } }, chips, user: 'ada' });
    server.answerFailure = undefined;
    await run.run();
    expect(run.state).toMatchObject({
      phase: { kind: 'done' },
      user: 'bob',
      chips: [{ text: 'equals TX' }, { text: 'equals 6' }],
    });
  });

  it('says nothing of values that it no longer asks for', async () => {
    const { run, server } = setUp({ prompts });
    await run.start();
    run.submit([value('CA'), value('5')]);
    await settled(run);
    expect(run.state.chips).toHaveLength(2);
    server.prompts = [];
    await run.run();
    expect([run.state.phase.kind, run.state.chips, run.lastRun?.values]).toEqual(['done', [], []]);
  });

  it('closes the form over its rows, or tells that there is nothing behind it', async () => {
    const { run } = setUp({ prompts });
    await run.start();
    expect(run.closePrompts()).toBe(false);
    await run.start();
    run.submit([value('CA'), value('5')]);
    await settled(run);
    await run.openPrompts();
    expect(run.prompts.form?.values[0]).toEqual(value('CA'));
    expect(run.closePrompts()).toBe(true);
    expect(run.prompts.form).toBeNull();
  });

  it('looks values up', async () => {
    const { run } = setUp({ prompts });
    await run.start();
    expect(await run.prompts.choices(0, 'cal')).toEqual({
      choices: [{ value: 'CA', label: 'California', dates: undefined }],
      notice: '1 found',
    });
    expect(await run.prompts.choices(9, '')).toEqual({ choices: [], notice: '' });
  });

  it('comes back after a reload with its values, and runs with them when asked to', async () => {
    const lastRun = { values: [value('CA'), value('5')], chips: [{ label: 'State', text: '= CA' }] };
    const { run, server } = setUp({ prompts }, lastRun);
    expect(run.state).toMatchObject({ phase: { kind: 'restored' }, chips: lastRun.chips, hasPrompts: true });
    expect(server.runs).toHaveLength(0);
    await run.openPrompts();
    expect(run.state.phase.kind).toBe('restored');
    expect(run.prompts.form?.values[0]).toEqual(value('CA'));
    await run.run();
    expect(server.answers[0]).toMatchObject([{ LowValue: 'CA' }, { LowValue: '5' }]);
    expect(run.lastRun?.values).toEqual(lastRun.values);
  });

  it('keeps its rows sorted and filtered when it is run again, by the keys of the columns', async () => {
    const [one, other] = [{ key: 'city' }, { key: 'n', yurbitype: 'num' }];
    const rows = [
      { city: 'Oslo', n: 1 },
      { city: 'Rome', n: 2 },
      { city: 'Lima', n: 3 },
    ];
    const { run, server } = setUp({ reply: () => chunksOf(replyText([one, other], rows), 1e6) });
    await run.start();
    await run.view?.arrange({ sort: [{ column: 1, isDescending: true }], filters: { 0: 'm' }, search: '' });
    expect(cells(run)).toEqual([
      ['Lima', '3'],
      ['Rome', '2'],
    ]);
    server.reply = () => chunksOf(replyText([other, one], rows), 1e6);
    await run.run();
    const again = [
      ['3', 'Lima'],
      ['2', 'Rome'],
    ];
    expect(cells(run)).toEqual(again);
    expect(run.view?.shape.arrangement).toEqual({
      sort: [{ column: 0, isDescending: true }],
      filters: { 1: 'm' },
      search: '',
    });
    const restored = setUp({ reply: server.reply }, run.lastRun);
    await restored.run.run();
    expect(cells(restored.run)).toEqual(again);
    await restored.run.view?.arrange({ sort: [], filters: {}, search: '' });
    await restored.run.run();
    expect(cells(restored.run)).toHaveLength(3);
    expect(restored.run.lastRun).not.toHaveProperty('arrangement');
  });

  it('asks once before it goes on as another user', async () => {
    const { run, server, become } = setUp();
    await run.start();
    become('ADA');
    await run.run();
    expect(server.runs).toHaveLength(2);
    become('bob');
    await run.run();
    expect(run.state).toMatchObject({ user: 'ADA', phase: { kind: 'failed', failure: { title: 'ADA, not bob' } } });
    expect(run.tried.user).toBe('bob');
    expect(server.runs).toHaveLength(2);
    await run.run();
    expect(run.state.phase.kind).toBe('done');
    become('ada');
    await run.start();
    expect(run.state.phase.kind).toBe('done');
    const restored = setUp({}, { values: [], chips: [], user: 'eve' });
    await restored.run.run();
    expect(restored.run.state.phase).toMatchObject({ kind: 'failed', failure: { title: 'eve, not ada' } });
  });

  it('runs without its prompts when asked to, says so, and does so again', async () => {
    const { run, server } = setUp({ prompts });
    await run.start();
    await run.runUnprompted();
    expect(server.answers).toEqual([]);
    expect(server.runs).toMatchObject([{ isUnprompted: true, isCacheOk: false }]);
    const chips = [{ label: '', text: 'without prompts' }];
    expect(run.state).toMatchObject({ phase: { kind: 'done' }, chips, hasPrompts: true });
    await run.run();
    expect(run.state).toMatchObject({ phase: { kind: 'done' }, chips });
    expect(run.lastRun).toEqual({ values: [], chips, isUnprompted: true, user: 'ada' });
    const restored = setUp({ prompts }, run.lastRun);
    await restored.run.run();
    expect(restored.server.runs).toMatchObject([{ isUnprompted: true }]);
    await run.openPrompts();
    run.submit([value('CA'), value('5')]);
    await settled(run);
    expect(run.lastRun).toMatchObject({ values: [value('CA'), value('5')] });
    expect(server.runs.at(-1)).not.toMatchObject({ isUnprompted: true });
  });
});

describe('a run that another took the place of', () => {
  it('does not show why its report could not be read', async () => {
    const late = Promise.withResolvers<ReportMetadata>();
    const { run, server } = setUp();
    const read = server.metadata.bind(server);
    server.metadata = () => late.promise;
    const first = run.start();
    server.metadata = read;
    await run.start();
    expect(run.state.phase.kind).toBe('done');
    late.reject(new Error('too late'));
    await first;
    expect(run.state.phase.kind).toBe('done');
    expect(cells(run)).toEqual([['Oslo']]);
  });
});

describe('the target of a drill-down', () => {
  it('is run from its row, with prompts of its own, and knows the way back', async () => {
    const drill = { source: { Report: { ReportID: '1' }, Prompts: null }, criteria: { state: 'CA' } };
    const asked = [prompt({ Op: '=' })];
    const { run, server } = setUp({ prompts: asked }, undefined, drill);
    await run.start();
    expect(run.state.phase.kind).toBe('asking');
    run.submit([value('CA')]);
    await settled(run);
    expect(server.targets).toEqual([true, true]);
    expect(server.runs[0]).toMatchObject({ drill, metadata: { Report: { answered: true } } });
    expect(run.state.trail).toEqual(['States', 'Delays']);
    expect(run.prepared?.Report).toMatchObject({ answered: true });
  });
});

describe('values kept under names', () => {
  it('stand in the list of the form, and come back with the defaults of what they lack', async () => {
    const { run } = setUp({ prompts: [prompt({ name: 'State' })] });
    await run.start();
    expect(run.prompts.form?.presets).toEqual([]);
    expect(await run.prompts.presets.keep('West', [value('CA')])).toEqual(['West']);
    expect(run.prompts.form?.presets).toEqual(['West']);
    expect(run.prompts.presets.choose('West')).toEqual([value('CA')]);
    expect(run.prompts.presets.choose('East')).toBeNull();
    expect(await run.prompts.presets.remove('West')).toEqual([]);
  });

  it('with relative dates mean the days of today when they are used', async () => {
    const { run } = setUp({ prompts: [prompt({ name: 'Day', type: 'doz', isBetween: true })] });
    await run.start();
    const days = { low: '1999-01-01', high: '1999-01-31' };
    const relative = [{ expression: '[Today]', label: 'Today', ...days }];
    await run.prompts.presets.keep('Daily', [{ ...value(''), ...days, relative }]);
    const [chosen] = run.prompts.presets.choose('Daily') ?? [];
    expect(chosen?.low).toBe(chosen?.high);
    expect(chosen?.low).not.toBe('1999-01-01');
    expect(run.submit([chosen ?? emptyPromptValue])).toEqual([]);
    expect(run.lastRun?.values[0]?.relative).toEqual([{ ...relative[0], low: chosen?.low, high: chosen?.high }]);
  });
});
