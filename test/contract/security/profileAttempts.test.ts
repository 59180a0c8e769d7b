import { afterAll, beforeAll, expect, it } from 'vitest';
import { figure } from '../../support/run/figure.ts';
import {
  type AttackedTable,
  type Json,
  password,
  reportOf,
  type Scene,
  startScene,
} from '../../support/security/scene.ts';

/*
 * Somebody who is of North, by the profile that a policy compares with, wants the rows of South. A policy may spell its
 * placeholder as it likes; what a profile says may be sent in many ways.
 */

const text = (platform: string) => (platform === 'clickhouse' ? 'Nullable(String)' : 'VARCHAR(40)');
const table: AttackedTable = {
  name: 'deals',
  columns: { id: 'num', tenant: 'cha' },
  setup: (platform) => [
    `CREATE TABLE deals (id INTEGER, tenant ${text(platform)})${platform === 'clickhouse' ? ' ENGINE = MergeTree ORDER BY id' : ''}`,
    `INSERT INTO deals VALUES (1, 'North'), (2, 'South'), (3, 'mallory'), (4, '')`,
  ],
};

/** Each with the field of SaveMYContact that it may mean, if any does. */
const spellings: Record<string, string> = {
  '/#company#/': 'Company',
  '/# company #/': 'Company',
  '/#Company#/': 'Company',
  '/#\tCOMPANY\n#/': 'Company',
  '/#\u00A0company\u2003#/': 'Company',
  '/#\uFEFFcompany#/': 'Company',
  '/#\u200Bcompany#/': 'Company',
  '/#ｃｏｍｐａｎｙ#/': 'Company',
  '/#com\u00ADpany#/': 'Company',
  '/#companY\u0301#/': 'Company',
  '/# email #/': 'EmailAddress',
  '/#EMAIL #/': 'EmailAddress',
  '/#emaıl#/': 'EmailAddress',
  '/# lastname#/': 'LastName',
  '/#LASTNAME #/': 'LastName',
  '/#laſtname#/': 'LastName',
  '/# FirstName #/': 'FirstName',
  '/#FİRSTNAME#/': 'FirstName',
  '/# tag1 #/': 'Tag1',
  '/#login #/': 'LoginName',
};

type Sending = (
  user: Json,
  fieldName: string,
) => { endpoint: 'Contact/SaveMYContact' | 'Contact/SaveContact'; body: Json };
const save = (user: Json, more: Json = {}) => ({
  endpoint: 'Contact/SaveMYContact' as const,
  body: { withpin: false, user, ...more },
});
const sendings: Record<string, Sending> = {
  'the field': (user, name) => save({ ...user, [name]: 'South' }),
  'the field with blanks': (user, name) => save({ ...user, [name]: ' South ' }),
  'the field after it was emptied': (user, name) => save({ ...user, [name]: '', [name.toLowerCase()]: 'South' }),
  'a field of that name in lower case': (user, name) =>
    save({ ...user, [name.toLowerCase()]: 'South', company: 'South' }),
  'only what must be there': (user, name) =>
    save({
      ...{ ID: user.ID, LoginName: user.LoginName, SecurityGroups: [], UserApplications: [], Preferences: [] },
      [name]: 'South',
    }),
  'a password with it': (user, name) => save({ ...user, [name]: 'South', Pin: password }, { withpin: true }),
  'that it was confirmed': (user, name) => save({ ...user, [name]: 'South', SelfSetFields: [] }),
  'rights beside it': (user, name) => save({ ...user, [name]: 'South', isAdmin: true, isSuperAdmin: true }),
  'the call of administrators': (user, name) => ({
    endpoint: 'Contact/SaveContact',
    body: { withpin: false, user: { ...user, [name]: 'South' } },
  }),
  'an old revision': (user, name) => save({ ...user, [name]: 'South', Revision: 1 }, { expectedRevision: 1 }),
  'all fields of a profile': (user) =>
    save({ ...user, Company: 'South', EmailAddress: 'South', FirstName: 'South', LastName: 'South', Tag1: 'South' }),
  'the profile of a prototype': (user, name) =>
    save({ ...user, ...(JSON.parse(`{"__proto__":{"${name}":"South"},"constructor":{"${name}":"South"}}`) as Json) }),
};

let scene: Scene;
beforeAll(async () => {
  scene = await startScene(table, '6');
}, 120_000);
afterAll(() => scene.stop(), 60_000);

const ofNorth = { Company: 'North', EmailAddress: 'North', FirstName: 'North', LastName: 'North', Tag1: 'North' };

/** Makes the attacker one of North, by an administrator. */
async function north(): Promise<Json> {
  const user = await scene.ask('Contact/GetContactById', { ContactId: scene.attackerId });
  const saved = await scene.ask('Contact/SaveContact', {
    withpin: false,
    user: { ...user, ...ofNorth, SelfSetFields: [] },
  });
  expect(saved).toMatchObject({ ErrorCode: 0 });
  return scene.ask('Contact/GetContactById', { ContactId: scene.attackerId });
}

async function seen(): Promise<number[]> {
  const found = new Set<number>();
  for (const { app } of scene.apps)
    for (const id of await scene.ids(reportOf(app, table), { cacheok: true })) found.add(id);
  return [...found].toSorted();
}

let attempted = 0;

it.each(Object.keys(spellings))('no way leads from North to South under a policy on %j', async (Value) => {
  const saved = await scene.restrictBy([{ ColumnName: 'tenant', Operator: '=', Value }]);
  // A spelling that could be taken for a field and is none may be refused: then there is no policy to get round.
  if (saved.ErrorCode !== '0') return;
  const fieldName = spellings[Value] ?? '';
  const allowed = fieldName === 'LoginName' ? [3] : [1];
  for (const [name, sending] of Object.entries(sendings)) {
    const user = await north();
    expect(allowed, name).toEqual(expect.arrayContaining(await seen()));
    const { endpoint, body } = sending(user, fieldName);
    await scene.attacker.call(endpoint, body);
    attempted += 1;
    expect(allowed, name).toEqual(expect.arrayContaining(await seen()));
  }
});

it('nor does a value that was set before the policy was, until an administrator confirms it', async () => {
  for (const fieldName of ['Company', 'EmailAddress', 'FirstName', 'LastName']) {
    const label = { Company: 'company', EmailAddress: 'email', FirstName: 'firstname', LastName: 'lastname' }[
      fieldName
    ];
    for (const sending of Object.values(sendings)) {
      await scene.restrictBy([{ ColumnName: 'id', Operator: '>', Value: '0' }]);
      const user = await north();
      const { endpoint, body } = sending(user, fieldName);
      await scene.attacker.call(endpoint, body);
      await scene.restrictBy([{ ColumnName: 'tenant', Operator: '=', Value: `/#${label}#/` }]);
      attempted += 1;
      expect(await seen()).not.toContain(2);
    }
  }
  const user = await scene.ask('Contact/GetContactById', { ContactId: scene.attackerId });
  const confirmed = { ...user, LastName: 'South', SelfSetFields: [] };
  expect(await scene.ask('Contact/SaveContact', { withpin: false, user: confirmed })).toMatchObject({ ErrorCode: 0 });
  expect(await seen()).toEqual([2]);
});

it('were tried at least sixty times', () => {
  expect(attempted).toBeGreaterThanOrEqual(60);
  figure('E2', `${attempted} attempts to choose one's own tenant: 0 leaks`);
});
