import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { figure } from '../../support/run/figure.ts';
import { openTenantScene, type TenantScene } from '../../support/tenants/tenantScene.ts';
import type { Answers } from '../../support/tenants/tenantPerson.ts';
import { ClickCount } from '../../support/workbench/clickCount.ts';
import { closeEditors } from '../../support/workbench/sharedWorkbench.ts';

/*
 * The same onboarding as in test/unit/features/security/onboarding.test.ts, in the workbench: what the page hears of clicks,
 * Enter and Ctrl+S is counted, also what was done again because the editor lost it.
 */

const most = 40;
const tenant = 'West';
const password = 'a long enough passphrase 1';
const logins = Array.from({ length: 20 }, (_, index) => `west.${index + 1}`);

let scene: TenantScene;
let clicks: ClickCount;
let sum = 0;
const counted: string[] = [];

beforeAll(async () => {
  scene = await openTenantScene(false);
  clicks = new ClickCount(scene.workbench);
  await clicks.watch();
});
afterAll(() => scene.stop());

/** Does something by hand, and counts. */
async function counts(title: string, work: () => Promise<void>, answers: Answers, written: RegExp): Promise<void> {
  const { admin, watched, workbench } = scene;
  watched.writes.length = 0;
  await clicks.take();
  const isDone = () => written.test(watched.writes.join('\n'));
  await admin.does(`onboarding-${counted.length + 1}`, work, answers, isDone);
  const count = await clicks.take();
  sum += count;
  counted.push(`${title} ${count}`);
  await closeEditors(workbench);
}

it(`takes in a tenant of 20 users with at most ${most} clicks and Enters`, { timeout: 400_000 }, async () => {
  const { admin, workbench, folder } = scene;
  const named = (field: string, present: string, now: string) =>
    [`"${field}": "${present}"`, `"${field}": "${now}",`] as const;

  await counts(
    'New Group…',
    async () => {
      await admin.presses('New Group…', ['groups']);
      await admin.fills(named('GroupName', '', tenant));
    },
    {},
    /SaveSecurityGroup: GroupName$/,
  );
  await counts(
    'New Folder…',
    () => admin.runs('New Folder…', ['library']),
    { types: ['For West'], picks: [[tenant]] },
    /SaveLibraryFolder: ParentLibrary Permissions\+ fname$/,
  );
  await counts(
    'Edit Data Tag Values…',
    async () => {
      await admin.presses('Edit Data Tag Values…', ['dataTags', 'state']);
      const page = await workbench.webviewFrame('Values of state');
      await clicks.watch(page);
      const box = page.getByRole('textbox', { name: tenant, exact: true });
      await box.click();
      await workbench.page.keyboard.type('CO');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved, and read back from the server').first().waitFor();
    },
    {},
    /SaveDataTag: SecurityGroups\+$/,
  );
  await counts(
    'New Policy…',
    async () => {
      await admin.runs('New Policy…', ['dataTags', 'state']);
      await admin.fills(
        ['"Name": "New Policy', '"Name": "West rows",'],
        named('TableName', '', 'flights'),
        named('ColumnName', '', 'origin_state'),
        ['"isActive": false', '"isActive": true,'],
      );
    },
    {},
    /SaveShieldPolicy: /,
  );
  await counts(
    'Assign Policy…',
    () => admin.runs('Assign Policy…', ['policies', 'West rows']),
    { picks: [[tenant]] },
    /AddGroup/,
  );
  const rows = logins.map((login) => `${login},Miller,${tenant},Flight Operations,Agent`);
  const file = path.join(folder, 'users.csv');
  await writeFile(file, ['LoginName,LastName,Groups,Application,Role', ...rows].join('\n'));
  await counts(
    'Import Users from CSV…',
    async () => {
      await admin.runs('Import Users from CSV…', ['users']);
      const page = await workbench.webviewFrame('Import users.csv');
      await clicks.watch(page);
      await page.getByRole('button', { name: 'Import 20 Users' }).click();
      await page.getByText('20 created', { exact: true }).first().waitFor({ timeout: 60_000 });
    },
    { types: [password, password] },
    /SaveContact: UserApplications\+/,
  );
  await counts(
    'Move Report to Folder…',
    () => admin.runs('Move Report to Folder…', ['library', 'Flights', 'Delays by State']),
    { picks: ['For West'] },
    /SaveReport: folderid$/,
  );

  // The tenant is taken in as a whole: members, seats, policy and rows.
  const held = await scene.colleague.find('Group/GetAllSecurityGroups', 'GroupName', tenant);
  expect(namesIn(held?.Membership)).toEqual(logins.toSorted());
  const policy = await scene.colleague.find('Shield/GetAllShieldPolicies', 'Name', 'West rows');
  expect(policy).toMatchObject({
    isActive: true,
    Constraints: [{ TableName: 'flights', ColumnName: 'origin_state', Operator: '=', Value: '/#state#/' }],
    Groups: [{ GroupName: tenant }],
  });
  figure('A4', `${sum} clicks and Enters in the workbench take in a tenant of 20 users: ${counted.join(', ')}`);
  expect(sum, counted.join(', ')).toBeLessThanOrEqual(most);
});

function namesIn(members: unknown): string[] {
  const list = z.array(z.looseObject({ LoginName: z.string() })).parse(members);
  return list.map(({ LoginName }) => LoginName).toSorted();
}
