import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnalyticsClient } from '../../src/client/client.ts';
import { editableView } from '../../src/objects/merge/editableView.ts';
import { fieldOf, isJsonObject, type Json, type JsonObject } from '../../src/objects/json.ts';
import { findKind, objectKinds } from '../../src/objects/kinds/kinds.ts';
import type { ObjectKind } from '../../src/objects/kinds/objectKind.ts';
import { objectServer, type ObjectServer } from '../../src/objects/objectServer.ts';
import { saveObject, type SaveRequest } from '../../src/objects/save/saveObject.ts';
import { figure } from '../support/run/figure.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { readServerState } from '../support/serverState.ts';
import { testClient, unwatched } from '../support/testClient.ts';

/** What the tests change of an object of each kind: a field of text, and where the object is found. */
interface Subject {
  readonly field: string;
  /** Name of the object; the first of the list where none is given. */
  readonly name?: string;
  /** Id of what a server has only one of. */
  readonly id?: string;
}

const subjects: Readonly<Record<string, Subject>> = {
  policy: { field: 'Description' },
  tag: { field: 'DefaultValue', name: 'state' },
  group: { field: 'GroupDescription', name: 'North' },
  user: { field: 'Company', name: 'north.viewer' },
  profile: { field: 'Company' },
  folder: { field: 'fname', name: 'Bird Strikes' },
  report: { field: 'Description' },
  dashboard: { field: 'descr' },
  server: { field: 'DisplayName' },
  reporttype: { field: 'RepTypeName' },
  smtp: { field: 'SMTPHost', id: 'smtp' },
  settings: { field: 'SSOHeader', id: 'settings' },
  audit: { field: 'options', id: 'audit' },
  licence: { field: 'State', id: 'licence' },
};
const names = objectKinds.map(({ name }) => name);
const password = 'a long Password 1';

let server: TestServer;
let client: AnalyticsClient;
let objects: ObjectServer;
const ids = new Map<string, string>();
/** Endpoints that were asked to change something. */
const writes: string[] = [];

beforeAll(async () => {
  server = await startServer({ sample: true });
  client = testClient(server.apiBase, { userName: 'admin', password: server.adminPassword });
  const real = objectServer(client);
  objects = {
    ...real,
    call: (endpoint, body, guard) => {
      if (guard) writes.push(endpoint);
      return real.call(endpoint, body, guard ?? unwatched);
    },
  };
  const smtp = kindOf('smtp');
  const mail = { ...(await smtp.read(objects, 'smtp')), SMTPHost: 'mail.example', SMTPUserName: 'mailer' };
  await smtp.save(objects, { ...mail, SMTPRequiredSecurity: 'True', SMTPPassword: password });
  const settings = kindOf('settings');
  await settings.save(objects, { ...(await settings.read(objects, 'settings')), mfa_clientsecret: password });
  for (const name of names) ids.set(name, await idOf(name));
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

describe('documents of every kind on the embedded server', () => {
  it.each(names)('read, edit, save and read back: %s', async (name) => {
    const edit = await edited(name, 'Mine');
    const asked = writes.length;
    const outcome = await saveObject(objects, edit);
    expect(outcome).toMatchObject({ kind: 'saved', merged: [], notTaken: [] });
    expect(writes).toHaveLength(asked + 1);
    expect(await textNow(name)).toBe('Mine');
    // Everything else is as it was, but for what the server keeps itself.
    const after = await view(name);
    expect(withoutKept(edit.kind, after)).toEqual(withoutKept(edit.kind, edit.mine));
  });

  it('R1: what somebody else saved before the save is seen, whatever its length', async () => {
    let seen = 0;
    for (const name of names) {
      for (const theirs of ['Hill', 'Somewhere in the hills']) {
        await change(name, 'West');
        const edit = await edited(name, 'Mine');
        await change(name, theirs);
        const asked = writes.length;
        const outcome = await saveObject(objects, edit);
        expect(outcome.kind, `${name}: ${theirs}`).toBe('conflict');
        expect(writes).toHaveLength(asked);
        expect(await textNow(name)).toBe(theirs);
        seen++;
      }
    }
    expect(seen).toBe(names.length * 2);
    figure('R1', `embedded server: ${seen} of ${names.length} kinds × 2 lengths seen, nothing sent`);
  });

  it('R1: a change of another field is joined', async () => {
    for (const [name, other, value] of otherFields) {
      await change(name, 'West');
      const edit = await edited(name, 'Mine');
      const theirs = await view(name);
      const saved = await saveObject(objects, { ...edit, base: theirs, mine: { ...theirs, [other]: value } });
      expect(saved.kind, name).toBe('saved');
      expect(await saveObject(objects, edit), name).toMatchObject({ kind: 'saved', merged: [other] });
      expect(await view(name)).toMatchObject({ [subjects[name]?.field ?? '']: 'Mine', [other]: value });
    }
  });

  it('R6: an answer to a conflict holds for the state that was shown, and for no other', async () => {
    let again = 0;
    for (let round = 0; round < 100; round++) {
      const name = names[round % names.length] ?? '';
      await change(name, 'West');
      const edit = await edited(name, 'Mine');
      await change(name, 'Hill');
      const shown = await saveObject(objects, edit);
      if (shown.kind !== 'conflict') throw new Error(`${name}: ${shown.kind}`);
      await change(name, 'Dale');
      const resolution = { serverState: shown.serverState, choose: () => 'mine' as const };
      const answered = await saveObject(objects, { ...edit, resolution });
      if (answered.kind === 'conflict' && (await textNow(name)) === 'Dale') again++;
    }
    expect(again).toBe(100);
    figure('R6', `embedded server: ${again} of 100 changes after the question conflicted again, 0 overwritten`);
  });
});

describe('R21: stored passwords on the embedded server', () => {
  it('outlive the saves of everything that has one', async () => {
    const database = await view('server');
    const login = { ...database, DatabaseLogin: 'reader' };
    await saveObject(objects, { ...(await edited('server', 'West')), base: database, mine: login });
    const before = sealedPasswords();
    expect(before.every(({ bytes }) => bytes > 0)).toBe(true);
    let saves = 0;
    let unsent = 0;
    for (const given of [password, '', undefined]) {
      for (const name of ['server', 'smtp', 'user', 'profile', 'settings']) {
        await change(name, 'West');
        const outcome = await saveObject(objects, { ...(await edited(name, 'Mine')), askSecret: async () => given });
        if (outcome.kind === 'cancelled') unsent++;
        else {
          expect(outcome.kind, name).toBe('saved');
          saves++;
        }
        expect(sealedPasswords(), name).toEqual(before);
        const settings = await kindOf('settings').read(objects, 'settings');
        expect(fieldOf(settings, 'mfa_clientsecret'), name).toBe(password);
        await server.login('north.viewer', server.adminPassword);
      }
    }
    // Database and mail each need theirs; without it nothing is sent.
    expect({ saves, unsent }).toEqual({ saves: 11, unsent: 4 });
    figure(
      'R21',
      `embedded server: ${saves} saves, 0 stored passwords blanked; ${unsent} not sent without the password`,
    );
  });
});

/** A second field of kinds that have one, with the value that somebody else gives it. */
const otherFields: readonly (readonly [string, string, Json])[] = [
  ['policy', 'isActive', false],
  ['tag', 'TagGroup', 'Places'],
  ['user', 'LastName', 'Northerner'],
  ['dashboard', 'reports', []],
  ['server', 'CommandTimeout', 41],
  ['smtp', 'SMTPFromAddress', 'reports@example.com'],
  ['settings', 'mfa_redirect', 'elsewhere'],
  ['licence', 'Seats', 40],
];

function kindOf(name: string): ObjectKind {
  const kind = findKind(name);
  if (!kind) throw new Error(`There is no kind ${name}.`);
  return kind;
}

async function idOf(kindName: string): Promise<string> {
  const { name, id } = subjects[kindName] ?? {};
  if (id !== undefined) return id;
  // The own profile is the account's user.
  const wanted = kindName === 'profile' ? 'admin' : name;
  const list = await kindOf(kindName === 'profile' ? 'user' : kindName).list?.(objects);
  const found = list?.find((entry) => wanted === undefined || entry.name === wanted);
  if (!found) throw new Error(`The sample has no ${kindName} ${wanted ?? ''}.`);
  return found.id;
}

async function view(name: string): Promise<JsonObject> {
  const kind = kindOf(name);
  return editableView(await kind.read(objects, ids.get(name) ?? ''), kind.shape);
}

/** The same view with another text in the field of its kind; of the audit types, in the first one. */
function withText(name: string, before: JsonObject, text: string): JsonObject {
  const field = subjects[name]?.field ?? '';
  const types = fieldOf(before, 'AuditTypes');
  if (!Array.isArray(types)) return { ...before, [field]: text };
  const [first, ...others] = types;
  return { AuditTypes: [isJsonObject(first) ? { ...first, [field]: text } : null, ...others] };
}

async function textNow(name: string): Promise<Json | undefined> {
  const now = await view(name);
  const types = fieldOf(now, 'AuditTypes');
  const holder = Array.isArray(types) ? types[0] : now;
  return isJsonObject(holder) ? fieldOf(holder, subjects[name]?.field ?? '') : undefined;
}

async function edited(name: string, text: string): Promise<SaveRequest> {
  const base = await view(name);
  const id = ids.get(name) ?? '';
  return { kind: kindOf(name), id, base, mine: withText(name, base, text), askSecret: async () => password };
}

/** Does what somebody else does at the same time; not counted among the writes. */
async function change(name: string, text: string): Promise<void> {
  const outcome = await saveObject(objectServer(client), await edited(name, text));
  if (outcome.kind !== 'saved') throw new Error(`${name}: ${outcome.kind}`);
}

function withoutKept({ shape }: ObjectKind, shown: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(shown).filter(([field]) => !shape.readOnly?.includes(field)));
}

/** How many bytes the server keeps of each password that it never shows. */
function sealedPasswords() {
  return readServerState(server.dataFolder, (database) => {
    const id = ids.get('server') ?? '';
    const length = (sql: string, ...values: string[]) => ({
      bytes: Number(database.prepare(sql).get(...values)?.bytes),
    });
    return [
      length('SELECT length(sealed_password) AS bytes FROM registered_server WHERE id = ?', id),
      length('SELECT length(sealed_password) AS bytes FROM mail'),
    ];
  });
}
