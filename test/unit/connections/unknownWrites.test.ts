import { describe, expect, it } from 'vitest';
import { ClientError } from '../../../src/client/clientError.ts';
import { settleWrite } from '../../../src/client/writes.ts';
import { UnknownWrites } from '../../../src/connections/unknownWrites.ts';

class State {
  readonly values = new Map<string, unknown>();
  get(key: string): unknown {
    return this.values.get(key);
  }
  async update(key: string, value: unknown): Promise<void> {
    this.values.set(key, structuredClone(value));
  }
}

const server = { id: 'c1', name: 'Reports' };
const secret = 'the content of the object';

/** One change that fails as told; `isThere` says what a look shows. */
function change(writes: UnknownWrites, failure: ClientError | undefined, isThere: () => boolean): Promise<unknown> {
  const traces = {
    kind: 'change' as const,
    object: 'the data tag Region',
    read: async () => [secret],
    idOf: () => '7',
    hasContent: isThere,
  };
  const send = async () => {
    const [underWay] = writesOf(writes);
    expect(underWay).toMatchObject({ object: 'the data tag Region', reason: '' });
    if (failure) throw failure;
    return 'ok';
  };
  return settleWrite({ name: server.name, journal: writes.journalOf(server) }, traces, send, { pauses: [0] });
}

let state = new State();
const writesOf = (_writes: UnknownWrites) => (state.get('analytics.unknownWrites') ?? []) as Record<string, unknown>[];
function fresh(): UnknownWrites {
  state = new State();
  return new UnknownWrites(state);
}
const lost = () =>
  new ClientError('timeout', 'No answer in time.', { server: 'Reports', endpoint: 'DataTag/SaveDataTag' });

describe('the journal of writes', () => {
  it('keeps a write only while it is under way, when its outcome shows', async () => {
    const writes = fresh();
    await change(writes, undefined, () => true);
    await change(writes, lost(), () => true);
    const refusal = new ClientError('refused', 'No.', { server: 'Reports', code: 9000 });
    await expect(change(writes, refusal, () => false)).rejects.toThrow('No.');
    expect(writesOf(writes)).toEqual([]);
  });

  it('keeps what was sent, to whom and when, without its content, until a look shows it', async () => {
    const writes = fresh();
    let isThere = false;
    await expect(change(writes, lost(), () => isThere)).rejects.toMatchObject({ kind: 'unknownOutcome' });
    const [entry] = writes.list();
    expect(entry).toMatchObject({
      connectionId: 'c1',
      server: 'Reports',
      object: 'the data tag Region',
      kind: 'change',
    });
    expect(Date.now() - Date.parse(entry?.sentAt ?? '')).toBeLessThan(60_000);
    expect(entry?.reason).toContain('No answer in time');
    expect(JSON.stringify([...state.values])).not.toContain(secret);
    expect(await writes.look(entry?.id ?? '')).toBe(false);
    expect(writes.list()).toHaveLength(1);
    isThere = true;
    expect(await writes.look(entry?.id ?? '')).toBe(true);
    expect(writes.list()).toEqual([]);
  });

  it('tells of a write that was under way when its program ended, and not of one that still is', async () => {
    const writes = fresh();
    const open = await writes.journalOf(server).begin({ kind: 'create', object: 'the group North' });
    expect(writes.list()).toEqual([]);
    // No process has this id: it is beyond what systems give.
    const left = writesOf(writes).map((entry) => ({ ...entry, pid: 2 ** 30 }));
    await state.update('analytics.unknownWrites', left);
    expect(new UnknownWrites(state).list()).toMatchObject([{ object: 'the group North', reason: '' }]);
    expect(await new UnknownWrites(state).look(writesOf(writes)[0]?.id as string)).toBeUndefined();
    await open.settled();
    expect(writes.list()).toEqual([]);
  });

  it('leaves out what is no entry', async () => {
    const writes = fresh();
    await state.update('analytics.unknownWrites', [null, 1, {}, { id: 'x' }]);
    expect(writes.list()).toEqual([]);
  });
});
