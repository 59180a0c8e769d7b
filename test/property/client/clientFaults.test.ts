import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forms, reportTypeMade } from '../../support/faults/faultForms.ts';
import { FaultGround } from '../../support/faults/faultGround.ts';
import { faults, type Fault } from '../../support/faults/faultProxy.ts';
import { playSchedule, type Schedule } from '../../support/faults/faultSchedule.ts';
import { tally } from '../../support/faults/faultTally.ts';
import { figure } from '../../support/run/figure.ts';
import { memoryFolder, startLocalServer, type LocalTestServer } from '../../support/localServer.ts';
import { variations } from '../../support/run/payloadVariations.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

/*
 * Random schedules of faults between the client and the embedded server.
 */

const runs = propertyRuns(80, 10_000);
const seed = Number(process.env.PROPERTY_SEED ?? 4);
/** Rare, or played by tests that give the server its time: who has looked long enough believes an empty reply. */
const apart: readonly Fault[] = ['stallAfter', 'empty204Late'];
/** Schedules under way at once: they mostly wait. */
const lanes = 32;

const onTags = ['list', 'create', 'create', 'change', 'change', 'race', 'foreign', 'delete'];

const schedule: fc.Arbitrary<Schedule> = fc.record({
  faults: fc.array(
    fc.oneof(
      { weight: 60, arbitrary: fc.constant<Fault>('none') },
      { weight: 40, arbitrary: fc.constantFrom(...faults.filter((fault) => !apart.includes(fault))) },
      { weight: 1, arbitrary: fc.constant<Fault>('stallAfter') },
    ),
    { minLength: 1, maxLength: 14 },
  ),
  operations: fc.array(
    fc.record({
      kind: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...onTags) },
        { weight: 1, arbitrary: fc.constantFrom(...Object.keys(forms)) },
      ),
      tag: fc.nat({ max: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  /** Sessions so short that a rejected token has plainly expired; else it was taken over. */
  hasShortSessions: fc.boolean(),
  throughObjects: fc.boolean(),
  savesAgain: fc.boolean(),
  variation: fc.constantFrom(...variations),
});

const save = 'DataTag/SaveDataTag';
const check = 'Session/CheckSession';
const list = 'DataTag/GetAllDataTags';
const join = 'Group/AddUser';
const person = 'Contact/GetContactById';

/** Schedules that once broke a promise. */
const foundBugs: [what: string, schedule: Schedule][] = [
  [
    'a create whose empty reply hid that it was done, then a rejected token: it was sent again',
    plan({ [save]: ['none', 'empty204After'], [check]: ['none', 'rejected101Before'] }, 'create', 'create'),
  ],
  [
    'a create whose empty reply hid that it was done, then a sign-in elsewhere: it was said to have failed',
    {
      ...plan({ [save]: ['none', 'empty204After'], [check]: ['none', 'takeOver'] }, 'create', 'create'),
      hasShortSessions: false,
    },
  ],
  [
    'an empty reply with a good session: a change that was done was said to be denied',
    plan({ [save]: ['none', 'empty204After'] }, 'create', 'change'),
  ],
  [
    'a create that was done, with more in it than was sent, and an empty reply: it was said to be denied',
    { ...plan({ [save]: ['empty204After'] }, 'create'), variation: 'extra' },
  ],
  [
    'a change that was confirmed, then a sign-in elsewhere before it was read back: it was said to have failed',
    {
      ...plan({ [list]: ['none', 'none', 'none', 'none', 'takeOver'] }, 'create', 'change'),
      hasShortSessions: false,
    },
  ],
  [
    'a change that was done and answered with 404: it was said to have failed',
    plan({ [join]: ['notFound404After'] }, 'member added'),
  ],
  [
    'a change that was done and answered with 101, in a session that had long to go: it was said to have failed',
    { ...plan({ [join]: ['rejected101After'] }, 'member added'), hasShortSessions: false },
  ],
  [
    'a rejected token, a look, and a second rejection of what was done, into which no look was possible: it was said to have failed',
    plan({ [join]: ['rejected101Before', 'rejected101After'], [person]: ['none', 'error500Before'] }, 'member added'),
  ],
];

function plan(endpointFaults: Record<string, Fault[]>, ...kinds: string[]): Schedule {
  const operations = kinds.map((kind) => ({ kind, tag: 0 }));
  return {
    faults: [],
    endpointFaults,
    operations,
    hasShortSessions: true,
    throughObjects: false,
    savesAgain: false,
    variation: 'asListed',
  };
}

let told = 0;
/** A line of the log for each thousand of a long run. */
function tellProgress(): void {
  const thousands = Math.floor(tally.schedules / 1000);
  if (runs <= 1000 || thousands === told) return;
  told = thousands;
  console.log(`${new Date().toISOString()} ${tally.schedules} of ${runs} schedules, no promise broken`);
}

let server: LocalTestServer;
let ground: FaultGround;
let journals: string;

beforeAll(async () => {
  server = await startLocalServer();
  ground = await FaultGround.prepare(server);
  journals = await mkdtemp(path.join(memoryFolder, 'analytics-journals-'));
}, 60_000);
afterAll(async () => {
  await server?.stop();
  await rm(journals, { recursive: true, force: true });
});

it.each(foundBugs)('%s', async (_what, schedule) => {
  await playSchedule(ground, journals, schedule);
  await playSchedule(ground, journals, { ...schedule, throughObjects: true });
});

/** Each kind of write, and where it goes. */
const formWrites = { ...forms, 'report type made': reportTypeMade };

it.each(Object.keys(formWrites))(
  '%s: each fault at the write, in long and short sessions, and tried again',
  async (kind) => {
    const probe = await formWrites[kind as keyof typeof formWrites](ground, `probe of ${kind}`);
    await probe.end();
    const each = faults.flatMap((fault) => [true, false].map((hasShortSessions) => ({ fault, hasShortSessions })));
    const play = async ({ fault, hasShortSessions }: (typeof each)[number]) => {
      const operations = [{ kind, tag: 0 }];
      const planned = { ...plan({ [probe.path]: [fault] }), operations, hasShortSessions, savesAgain: true };
      await playSchedule(ground, journals, planned);
    };
    await Promise.all(each.map(play));
  },
  180_000,
);

it(
  'loses no edit, makes no duplicate, takes no failure for success, and tells why',
  async () => {
    const each = Math.ceil(runs / lanes);
    const lane = (index: number) =>
      fc.assert(
        fc.asyncProperty(schedule, async (random) => {
          await playSchedule(ground, journals, random);
          tellProgress();
        }),
        { numRuns: each, seed: seed + index, endOnFailure: true },
      );
    await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
    const {
      schedules,
      faults: played,
      done,
      failed,
      unknown,
      logins,
      commits,
      doubled,
      objects,
      states,
      journalled,
      endedEarly,
    } = tally;
    expect(schedules).toBeGreaterThanOrEqual(runs);
    expect(Math.min(done, failed, unknown)).toBeGreaterThan(0);
    // Most calls succeed, or the schedules would say little about what is on the server in the end.
    expect(done).toBeGreaterThan(2 * failed);
    figure('R2', `${schedules} schedules, ${played} faults, ${commits} writes committed: 0 lost edits, 0 duplicates`);
    figure('R2', `${objects} of them through the saves of the documents`);
    figure('R2', `${states} objects on the server as the client claimed`);
    figure('R3', `${journalled} writes of unknown outcome in the journal, and none of another`);
    const kinds = [...tally.forms].map(([kind, times]) => `${kind} ${times}`).join(', ');
    figure('R2', `writes of other kinds, each held against the server: ${kinds}`);
    figure('R2', `${tally.again} writes of unknown outcome tried again: 0 duplicates`);
    figure('R2', `${doubled} replies came twice`);
    figure('R2', `${done} calls done, ${failed} failed with their cause, ${unknown} unknown: 0 false successes`);
    figure('R2', `failures: ${[...tally.kinds].map(([kind, times]) => `${kind} ${times}`).join(', ')}`);
    expect(endedEarly).toBeGreaterThan(runs / 20);
    figure(
      'R9',
      `${logins} sign-ins in ${schedules} schedules, 0 of them by itself in ${endedEarly} calls whose session had ended early`,
    );
  },
  60_000 + runs * 1_000,
);
