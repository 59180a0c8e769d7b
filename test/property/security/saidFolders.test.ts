import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { Connection } from '../../../src/connections/connection.ts';
import { AccessWorld, userNames } from '../../support/access/accessWorld.ts';
import {
  folderGroups,
  folderNames,
  FolderPerson,
  reportNames,
  type FolderEditing,
  type FolderStep,
} from '../../support/access/folderPerson.ts';
import { openCommandScene, type CommandScene } from '../../support/commandScene.ts';
import { tableReport } from '../../support/databases/livePlatforms.ts';
import { useDocuments } from '../../support/documents/documentServices.ts';
import { figure } from '../../support/run/figure.ts';
import { propertyRuns, soakSize } from '../../support/run/soakSize.ts';
import { startServer, type SignedIn, type TestServer } from '../../support/server.ts';

/*
 * An administrator edits who sees folders at random: groups of folders, inheritance, places of folders and reports, hiding,
 * memberships, by commands, drags and documents. Before and after each edit, every user runs every report: those gained and
 * lost are those of which the product's own question spoke, and an edit without a question, or declined, gives no rows.
 */

const folder = mkdtempSync(path.join(tmpdir(), 'said-folders-'));
let server: TestServer;
let world: AccessWorld;
let scene: CommandScene;
let service: ReturnType<typeof useDocuments>;
let connection: Connection;
let administrator: FolderPerson;
const reportIds: string[] = [];
const fieldsOf = z.record(z.string(), z.unknown());

beforeAll(async () => {
  server = await startServer();
  world = await AccessWorld.open(server, folder);
  const [app] = world.apps;
  if (!app) throw new Error('There is no application.');
  for (const [index, fname] of folderNames.entries()) {
    const template = fieldsOf.parse((await world.admin.call('library/NewLibraryFolder')).json);
    const body = { libraryfolder: { ...template, fname }, isShared: true };
    const saved = fieldsOf.parse((await world.admin.call('library/SaveLibraryFolder', body)).json);
    const form = { ...tableReport(app, 'deals', ['id']), Permissions: [], FormLayout: [], OutputType: 1 };
    const report = { ...form, Reportname: reportNames[index], folderid: saved.id };
    const { json } = await world.admin.call('Report/SaveReport', { report });
    reportIds.push(z.looseObject({ ReportID: z.string().min(1) }).parse(json).ReportID);
  }
  scene = await openCommandScene();
  // From here on, this is the admin's session.
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  service = useDocuments(scene);
  administrator = new FolderPerson(scene, connection);
}, 60_000);

afterAll(async () => {
  service.close();
  await scene.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Names of the reports of which a user gets rows. */
async function runBy(session: SignedIn): Promise<Set<string>> {
  const runs = reportIds.map(async (ReportID, index) => {
    const { json: Reportobj } = await session.call('Report/GetReportMetadataById', {
      ...{ ReportID, isTarget: false, PreviousMetadata: null, Criteria: null },
    });
    const { Report } = z.looseObject({ Report: z.looseObject({ ErrorCode: z.number() }) }).parse(Reportobj);
    if (Report.ErrorCode !== 0) return [];
    const { json } = await session.call('Report/GetReportData', { Reportobj, cacheok: true });
    const { Data, HasError } = z.looseObject({ HasError: z.boolean(), Data: z.array(z.unknown()) }).parse(json);
    expect(HasError).toBe(false);
    return Data.length > 0 ? [reportNames[index] ?? ''] : [];
  });
  return new Set((await Promise.all(runs)).flat());
}

const runByAll = () => Promise.all(world.sessions.map(runBy));

/** Where each report is. */
async function places(): Promise<Map<string, string>> {
  const client = await connection.client();
  const items = await client.call('library/SearchReports', { searchstring: 'Rows of' });
  return new Map(items.map(({ ReportName, folderpath }) => [String(ReportName), folderpath?.split('/').at(-1) ?? '']));
}

/** The folders and reports that a question says a user will see, or no longer. Written from the sentences. */
function said(question: string, user: string): { gains: Set<string>; losses: Set<string> } {
  const named = (list: string) => list.split(/, | and /);
  const of = (verb: string) =>
    question.split('\n').flatMap((line) => {
      const [who = '', what] = line.replace(/\.$/, '').split(` ${verb} the content of `);
      if (what === undefined) return [];
      const [things = '', users = ''] = /^\d+ users$/.test(who) ? what.split(': ') : [what, who];
      return named(users).includes(user) ? named(things) : [];
    });
  if (/it is unknown|could not be checked|and other changes/i.test(question))
    throw new Error(`Not all is said: ${question}`);
  return { gains: new Set(of('will see')), losses: new Set(of('will no longer see')) };
}

const aFolder = fc.nat(folderNames.length - 1);
const aGroup = fc.nat(folderGroups.length - 1);
const aUser = fc.nat(userNames.length - 1);
const step: fc.Arbitrary<FolderStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('groups' as const),
      folder: aFolder,
      groups: fc.tuple(fc.boolean(), fc.boolean(), fc.constantFrom(false, false, true)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), folder: aFolder, group: aGroup }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('inherits' as const), folder: aFolder, inherits: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), folder: aFolder, to: aFolder }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hide' as const), folder: aFolder, isHidden: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('report' as const), report: aFolder, to: aFolder, isDrag: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('join' as const), user: aUser, group: aGroup },
      role: fc.constantFrom('2', '2', '0'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), user: aUser, group: aGroup }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteGroup' as const), group: aGroup }) },
);
const editing: fc.Arbitrary<FolderEditing> = fc.record({
  step,
  byCommand: fc.boolean(),
  agrees: fc.constantFrom(true, true, true, true, false),
});

const counts = { edits: 0, asked: 0, declined: 0, gains: 0, losses: 0 };

/** Names in one set and not in another one. */
function beyond(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...some].filter((name) => !others.has(name));
}

function check(
  { step: made, agrees }: FolderEditing,
  question: string | undefined,
  user: number,
  seen: { was: ReadonlySet<string>; is: ReadonlySet<string>; place: ReadonlyMap<string, string> },
): void {
  const name = userNames[user] ?? '';
  const [gained, lost] = [beyond(seen.is, seen.was), beyond(seen.was, seen.is)];
  counts.gains += gained.length;
  counts.losses += lost.length;
  if (question !== undefined && !agrees) {
    expect([...gained, ...lost], 'declined').toEqual([]);
  } else if (question === undefined || made.kind === 'deleteGroup') {
    // A folder that is open only to a deleted group is said to be closed to all or open to all, by the server's release.
    expect(gained, 'not asked').toEqual([]);
  } else {
    const { gains, losses } = said(question, name);
    const isSaid = (of: ReadonlySet<string>) =>
      reportNames.filter((report) => of.has(report) || of.has(seen.place.get(report) ?? ''));
    expect(gained.sort(), 'gained').toEqual(isSaid(gains).sort());
    expect(lost.sort(), 'lost').toEqual(isSaid(losses).sort());
  }
}

it(
  'asks about every edit that opens a folder to a user, and says who sees which folder then',
  async () => {
    let seen = await runByAll();
    await fc.assert(
      fc.asyncProperty(editing, async (edit) => {
        const [before, place] = [seen, await places()];
        const question = await administrator.take(edit);
        seen = await runByAll();
        counts.edits += 1;
        counts.asked += Number(question !== undefined);
        counts.declined += Number(question !== undefined && !edit.agrees);
        for (const user of userNames.keys()) {
          const [was = new Set<string>(), is = new Set<string>()] = [before[user], seen[user]];
          try {
            check(edit, question, user, { was, is, place });
          } catch (error) {
            const facts = { edit, question, user, was: [...was], is: [...is], place: [...place] };
            throw new Error(JSON.stringify(facts), { cause: error });
          }
        }
      }),
      { numRuns: propertyRuns(60, 2_000), endOnFailure: true },
    );
    expect(counts.gains).toBeGreaterThan(counts.edits / 20);
    expect(counts.losses).toBeGreaterThan(counts.edits / 20);
    figure(
      'A3',
      `${counts.edits} edits of folders in the product: ${counts.asked} asked about, ${counts.declined} declined; ${counts.gains} reports gained and ${counts.losses} lost by users who run them, 0 differ from what was said`,
    );
  },
  soakSize(300_000, 3_600_000),
);
