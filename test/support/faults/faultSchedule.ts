import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { AnalyticsClient } from '../../../src/client/client.ts';
import { ClientError, isClientError, type ClientErrorKind } from '../../../src/client/clientError.ts';
import { asAnswered, writeOnce, type Write } from '../../../src/client/writes/writes.ts';
import { UnknownWrites } from '../../../src/connections/unknownWrites.ts';
import { createObject } from '../../../src/objects/save/createObject.ts';
import { deleteObject } from '../../../src/objects/save/deleteObject.ts';
import { editableView } from '../../../src/objects/merge/editableView.ts';
import { dataTagKind } from '../../../src/objects/kinds/securityKinds.ts';
import { objectServer, type ObjectServer } from '../../../src/objects/objectServer.ts';
import { saveObject } from '../../../src/objects/save/saveObject.ts';
import { EventDeadlines } from './eventDeadlines.ts';
import { checkLabel, claimOf, isMaybeGone, type Tag, type Written } from './faultClaims.ts';
import { playForm } from './faultFormRun.ts';
import { forms, reportTypeMade, type FormWrite } from './faultForms.ts';
import type { FaultGround } from './faultGround.ts';
import { startFaultProxy, type Fault, type FaultProxy } from './faultProxy.ts';
import { tally } from './faultTally.ts';
import type { LocalTestServer } from '../localServer.ts';
import { varied, type Variation } from '../run/payloadVariations.ts';
import { isRecord } from '../isRecord.ts';
import { testClient } from '../testClient.ts';

/** What happens in one run: who does what, and what goes wrong. */
export interface Schedule {
  /** Faults of the requests in the order of their arrival; none after them. */
  faults: Fault[];
  /** Faults of the requests to single endpoints, which come first. */
  endpointFaults?: Record<string, Fault[]>;
  /** `kind` is one of the operations on tags, or a name of {@link forms}. */
  operations: { kind: string; tag: number }[];
  /** Whether writes go through the saves of the documents, which read, join and read back, or straight through the client. */
  throughObjects: boolean;
  hasShortSessions: boolean;
  /** Whether a write of unknown outcome is tried again by the user. */
  savesAgain: boolean;
  variation: Variation;
}

/** Failures that only a fault can bring about. */
const broken: readonly ClientErrorKind[] = [
  'unreachable',
  'timeout',
  'malformed',
  'notTheApi',
  'notFound',
  'unknownOutcome',
];

const allForms: Readonly<Record<string, (ground: FaultGround, name: string) => Promise<FormWrite>>> = {
  ...forms,
  'report type made': reportTypeMade,
};
const pauses = [5, 15, 30, 60];
let labels = 0;
let values = 0;

/**
 * Plays a schedule and checks what the server holds against what the client claimed.
 * @param journals folder for the journals of writes.
 */
export async function playSchedule(ground: FaultGround, journals: string, schedule: Schedule): Promise<void> {
  const { server } = ground;
  const queue = [...schedule.faults];
  const deadlines = new EventDeadlines();
  const special = new Map(Object.entries(schedule.endpointFaults ?? {}).map(([path, list]) => [path, [...list]]));
  const proxy = await startFaultProxy({
    target: server.apiBase,
    token: server.token,
    login: server.login,
    next: (endpoint) => special.get(endpoint)?.shift() ?? queue.shift() ?? 'none',
    sessionMs: schedule.hasShortSessions ? 20_000 : 1_200_000,
    onStall: () => deadlines.pass(),
    vary: (_endpoint, text) => varied(schedule.variation, text),
  });
  const run = new Run(ground, proxy, deadlines, journals, schedule);
  try {
    for (const operation of schedule.operations) await run.play(operation);
    await proxy.settled();
    await run.check();
    tally.schedules += 1;
    if (schedule.throughObjects) tally.objects += 1;
    tally.doubled += proxy.doubled();
    tally.faults += proxy.seen.filter(({ fault }) => fault !== 'none').length;
  } finally {
    await run.close();
    await proxy.close();
  }
}

class Run {
  readonly #server: LocalTestServer;
  readonly #proxy: FaultProxy;
  readonly #client: AnalyticsClient;
  readonly #objects: ObjectServer;
  readonly #labels: string[] = [];
  readonly #written: Written[] = [];
  /** Labels that were certain to be there when a list did not show them. */
  readonly #missed: string[] = [];
  /** Values set by somebody else, straight on the server. */
  readonly #foreign: { label: string; group: string }[] = [];

  readonly #throughObjects: boolean;
  readonly #hasShortSessions: boolean;

  readonly #deadlines: EventDeadlines;

  readonly #journalFolder: string;
  readonly #journal: UnknownWrites;

  readonly #ground: FaultGround;
  readonly #savesAgain: boolean;
  /** Kinds of the writes whose outcome the client does not know. */
  readonly #open: string[] = [];

  constructor(
    ground: FaultGround,
    proxy: FaultProxy,
    deadlines: EventDeadlines,
    journals: string,
    { throughObjects, hasShortSessions, savesAgain }: Schedule,
  ) {
    const { server } = ground;
    this.#ground = ground;
    this.#savesAgain = savesAgain;
    this.#hasShortSessions = hasShortSessions;
    this.#journalFolder = path.join(journals, randomUUID());
    this.#journal = new UnknownWrites(this.#journalFolder);
    this.#server = server;
    this.#deadlines = deadlines;
    this.#throughObjects = throughObjects;
    this.#proxy = proxy;
    const account = { userName: 'admin', password: server.adminPassword };
    this.#client = testClient(proxy.apiBase, account, {
      deadlines: deadlines.start,
      journal: this.#journal.journalOf({ id: 'c', name: 'Test Server' }),
    });
    this.#objects = objectServer(this.#client);
  }

  async play({ kind, tag }: Schedule['operations'][number]): Promise<void> {
    if (kind === 'list') return this.#list();
    if (kind === 'create') return this.#create();
    if (kind in allForms) return this.#form(kind);
    const label = this.#labels[tag % Math.max(1, this.#labels.length)];
    if (label === undefined) return this.#create();
    if (kind === 'foreign') return this.#foreignEdit(label);
    if (kind === 'delete') return this.#delete(label);
    if (kind === 'race') await Promise.all([this.#change(label), this.#foreignEdit(label)]);
    else await this.#change(label);
  }

  async close(): Promise<void> {
    await this.#client.close();
    this.#deadlines.pass();
    await rm(this.#journalFolder, { recursive: true, force: true });
    await this.#proxy.settled();
    for (const tag of await this.#truth()) await this.#server.call('DataTag/DeleteDataTag', { datatag: tag });
  }

  /** A read that succeeds shows what is certain to be there, however empty the reply that came first. */
  async #list(): Promise<void> {
    const certain = this.#labels.filter((label) => this.#isCertain(label));
    const tags = await this.#attempt(() => this.#client.call('DataTag/GetAllDataTags', {}));
    if (tags instanceof ClientError) return;
    const shown = new Set(tags.map(({ Label }) => Label));
    this.#missed.push(...certain.filter((label) => !shown.has(label)));
  }

  async #create(): Promise<void> {
    const label = `region${++labels}`;
    this.#labels.push(label);
    if (this.#throughObjects) return this.#createObject(label);
    const datatag = { Label: label, DefaultValue: nextValue(), SecurityGroups: [], Contacts: [] };
    await this.#write({ kind: 'create', datatag }, label, { datatag });
  }

  async #change(label: string): Promise<void> {
    const fresh = await this.#attempt(() => this.#find(label));
    if (fresh instanceof ClientError || !fresh[0]) return;
    if (this.#throughObjects) return this.#saveObject(label, String(fresh[0].ID));
    const datatag = { ...fresh[0], DefaultValue: nextValue() };
    await this.#write({ kind: 'change', datatag }, label, { datatag, expectedRevision: fresh[0].Revision });
  }

  async #delete(label: string): Promise<void> {
    const fresh = await this.#attempt(() => this.#find(label));
    if (fresh instanceof ClientError || !fresh[0]) return;
    const written = this.#note('delete', label, '');
    const [datatag] = fresh;
    if (this.#throughObjects) {
      const deletion = () => deleteObject(this.#objects, dataTagKind, String(datatag.ID), pauses);
      written.claim = claimOf(await this.#attempt(deletion));
      return;
    }
    const write: Write<'DataTag/DeleteDataTag', Tag> = {
      kind: 'delete',
      path: 'DataTag/DeleteDataTag',
      body: { datatag },
      object: `the data tag ${label}`,
      read: () => this.#find(label),
      idOf: ({ ID }) => String(ID),
      hasContent: () => true,
    };
    written.claim = claimOf(await this.#attempt(() => writeOnce(this.#client, write, asAnswered, { pauses })));
  }

  async #createObject(label: string): Promise<void> {
    const view = { Label: label, DefaultValue: nextValue(), SecurityGroups: [], Contacts: [] };
    const written = this.#note('create', label, view.DefaultValue);
    const request = { kind: dataTagKind, view, askSecret: async () => '', pauses };
    written.claim = claimOf(await this.#attempt(() => createObject(this.#objects, request)));
  }

  async #saveObject(label: string, id: string): Promise<void> {
    const read = async () => editableView(await dataTagKind.read(this.#objects, id), dataTagKind.shape);
    const base = await this.#attempt(read);
    if (base instanceof ClientError) return;
    const value = nextValue();
    const written = this.#note('change', label, value);
    const request = { kind: dataTagKind, id, base, mine: { ...base, DefaultValue: value }, pauses };
    const save = () => saveObject(this.#objects, { ...request, askSecret: async () => undefined });
    const outcome = await this.#attempt(save);
    if (outcome instanceof ClientError) written.claim = claimOf(outcome);
    else if (outcome.kind === 'unknown') written.claim = claimOf(outcome.cause);
    else {
      expect(outcome, `save of ${label}`).toMatchObject({ kind: 'saved', view: { DefaultValue: value }, notTaken: [] });
      written.claim = 'done';
    }
  }

  async #form(name: string): Promise<void> {
    const write = await allForms[name]?.(this.#ground, `form${++labels}`);
    if (!write) return;
    const claims = await playForm(name, write, {
      proxy: this.#proxy,
      writer: { client: this.#client, objects: this.#objects, pauses },
      savesAgain: this.#savesAgain,
      attempt: (call) => this.#attempt(call),
    });
    for (const claim of claims) if (claim === 'unknown' || claim === 'accepted') this.#open.push(write.kind);
  }

  #note(kind: Written['kind'], label: string, value: string): Written {
    const written: Written = { kind, label, value, claim: 'unknown' };
    this.#written.push(written);
    return written;
  }

  async #write(
    { kind, datatag }: { kind: 'create' | 'change'; datatag: Tag },
    label: string,
    body: { datatag: Tag; expectedRevision?: number },
  ) {
    const value = datatag.DefaultValue ?? '';
    const written = this.#note(kind, label, value);
    const write: Write<'DataTag/SaveDataTag', Tag> = {
      kind,
      path: 'DataTag/SaveDataTag',
      body,
      object: `the data tag ${label}`,
      read: () => this.#find(label),
      idOf: ({ ID }) => String(ID),
      hasContent: (found) => found.DefaultValue === value,
    };
    const outcome = await this.#attempt(() => writeOnce(this.#client, write, asAnswered, { pauses }));
    written.claim = claimOf(outcome);
  }

  /** Somebody else changes another field, with all the rest as it is at that moment. */
  async #foreignEdit(label: string): Promise<void> {
    const tag = (await this.#truth()).find(({ Label }) => Label === label);
    if (!tag) return;
    const group = nextValue();
    const body = { datatag: { ...tag, TagGroup: group }, expectedRevision: tag.Revision };
    const reply = await this.#server.call('DataTag/SaveDataTag', body);
    if (isRecord(reply) && reply.ErrorCode === 0) this.#foreign.push({ label, group });
  }

  /** Makes a call; a failure must say what happened, and signs in by the rules. The user signs in again after a takeover. */
  async #attempt<T>(call: () => Promise<T>): Promise<T | ClientError> {
    const { session } = this.#client;
    const logins = () => this.#proxy.seen.filter(({ endpoint }) => endpoint === 'login/DoLogin').length;
    const isStopped = () => session.state.kind === 'takenOver' || session.state.kind === 'refused';
    const before = logins();
    const mayNotSignIn = isStopped();
    const sentBefore = this.#proxy.seen.length;
    try {
      const reply = await call();
      tally.done += 1;
      return reply;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      expect(error.message).toMatch(/\S{3}/);
      expect(error.remedy).not.toBe('');
      expect(error.server).toBe('Test Server');
      const met = this.#proxy.seen.slice(sentBefore).filter(({ fault }) => fault !== 'none');
      // A sign-in that came late, or was refused in an earlier call, ends the session in a later one.
      const isEnded = isClientError(error.cause) && ['takenOver', 'signInRefused'].includes(error.cause.kind);
      if (broken.includes(error.kind) && !isEnded)
        expect(met.length, `${error.kind} without a fault`).toBeGreaterThan(0);
      tally[error.kind === 'unknownOutcome' ? 'unknown' : 'failed'] += 1;
      tally.kinds.set(error.kind, (tally.kinds.get(error.kind) ?? 0) + 1);
      return error;
    } finally {
      this.#deadlines.over();
      tally.logins += logins() - before;
      if (mayNotSignIn) expect(logins()).toBe(before);
      if (!this.#hasShortSessions) this.#checkNoneTakenBack(sentBefore);
      if (isStopped()) await this.#signInAgain();
    }
  }

  /** A session that ends long before its time is in use elsewhere: the call that finds out must not sign in again. */
  #checkNoneTakenBack(sentBefore: number): void {
    const sent = this.#proxy.seen.slice(sentBefore);
    const endsEarly = ({ fault, body }: (typeof sent)[number]) =>
      ['takeOver', 'expire', 'rejected101Before', 'rejected101After'].includes(fault) &&
      typeof body.sessionToken === 'string';
    const end = sent.findIndex(endsEarly);
    if (end === -1) return;
    tally.endedEarly += 1;
    const after = sent.slice(end).map(({ endpoint }) => endpoint);
    expect(after, 'requests from the one that found the session ended').not.toContain('login/DoLogin');
  }

  async #signInAgain(): Promise<void> {
    const credentials = { userName: 'admin', password: this.#server.adminPassword, isGuest: false };
    await this.#client.session.signIn(credentials).catch((error: unknown) => {
      if (!(error instanceof ClientError)) throw error;
    });
  }

  async #find(label: string): Promise<Tag[]> {
    const tags: Tag[] = await this.#client.call('DataTag/GetAllDataTags', {});
    return tags.filter((tag) => tag.Label === label);
  }

  /** The tags of this run, straight from the server. */
  async #truth(): Promise<Tag[]> {
    const mine = new Set<string | null | undefined>(this.#labels);
    const tags = (await this.#server.call('DataTag/GetAllDataTags')) as Tag[];
    return tags.filter(({ Label }) => mine.has(Label));
  }

  #isCertain(label: string): boolean {
    const of = this.#written.filter((written) => written.label === label);
    return (
      of.some(({ kind, claim }) => kind === 'create' && (claim === 'done' || claim === 'accepted')) &&
      !of.some(isMaybeGone)
    );
  }

  async check(): Promise<void> {
    const truth = await this.#truth();
    expect(this.#deadlines.overdue, 'calls that hung').toBe(0);
    await this.#checkJournal();
    expect(this.#missed, 'missing in a list').toEqual([]);
    for (const label of this.#labels) {
      const present = truth.filter((tag) => tag.Label === label);
      expect(present.length, label).toBeLessThanOrEqual(1);
      checkLabel({ written: this.#written, foreign: this.#foreign, seen: this.#proxy.seen }, label, present[0]);
      tally.states += 1;
    }
  }

  /** It holds the writes of unknown outcome, and nothing else is left in its folder. */
  async #checkJournal(): Promise<void> {
    const ofTags = this.#written
      .filter(({ claim }) => claim === 'unknown' || claim === 'accepted')
      .map(({ kind }) => kind);
    const open = [...ofTags, ...this.#open];
    const kept = (await this.#journal.list()).map(({ kind }) => kind);
    expect(kept.sort(), 'journal').toEqual(open.sort());
    expect(await filesIn(this.#journalFolder)).toBe(open.length);
    tally.journalled += open.length;
  }
}

/** None where no write went out. */
async function filesIn(folder: string): Promise<number> {
  return existsSync(folder) ? (await readdir(folder)).length : 0;
}

function nextValue(): string {
  return `v${++values}`;
}
