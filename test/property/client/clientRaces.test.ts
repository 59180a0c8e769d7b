import { afterAll, beforeAll, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../src/client/client.ts';
import { isClientError } from '../../../src/client/clientError.ts';
import type { StoredSession } from '../../../src/client/session/sessionState.ts';
import { editableView } from '../../../src/objects/merge/editableView.ts';
import { identifierText, isJsonObject, type JsonObject } from '../../../src/objects/json.ts';
import { dataTagKind } from '../../../src/objects/kinds/securityKinds.ts';
import type { ObjectKind } from '../../../src/objects/kinds/objectKind.ts';
import { objectServer, type ObjectServer } from '../../../src/objects/objectServer.ts';
import { saveObject } from '../../../src/objects/save/saveObject.ts';
import { figure } from '../../support/run/figure.ts';
import { startLocalServer, type LocalTestServer } from '../../support/localServer.ts';
import { unwatched } from '../../support/testClient.ts';

/** Fields that four people edit at the same moment, two of them the same one. */
const fields = ['DefaultValue', 'TagGroup', 'Index', 'DefaultValue'];
const rounds = 250;

let server: LocalTestServer;
let client: AnalyticsClient;
let objects: ObjectServer;
let id: string;

beforeAll(async () => {
  server = await startLocalServer();
  const session: StoredSession = {
    token: server.token,
    timeoutMs: 1_200_000,
    expiresAt: new Date(Date.now() + 1_200_000).toISOString(),
    account: { userId: '1', loginName: 'admin', fullName: '', isAdmin: true, isGuest: false, productVersion: '' },
  };
  client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase: server.apiBase },
    vault: { read: async () => session, write: async () => undefined, withLock: (work) => work() },
    credentials: async () => undefined,
  });
  objects = objectServer(client);
  const datatag = {
    Label: 'raced',
    DefaultValue: 'first',
    TagGroup: 'first',
    Index: 0,
    SecurityGroups: [],
    Contacts: [],
  };
  const reply = await objects.call('DataTag/SaveDataTag', { datatag }, unwatched);
  id = (isJsonObject(reply) && identifierText(reply.ID)) || expect.fail('no id');
}, 60_000);
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

const tally = { saves: 0, saved: 0, refused: 0, conflicts: 0, lost: 0 };

/** One round: everyone edits from the same state and saves at once; counts saves that were confirmed and are gone. */
async function race(kind: ObjectKind, round: number, counts: typeof tally): Promise<void> {
  const base = view(await kind.read(objects, id));
  const edits = fields.map((field, person) => {
    const number = round * fields.length + person + 1;
    return { field, value: field === 'Index' ? number : `v${number}` };
  });
  const kept = await Promise.all(
    edits.map(async ({ field, value }) => {
      const mine = { ...base, [field]: value };
      counts.saves += 1;
      try {
        const outcome = await saveObject(objects, { kind, id, base, mine, askSecret: async () => undefined });
        if (outcome.kind === 'conflict') counts.conflicts += 1;
        else expect(outcome.kind).toBe('saved');
        return outcome.kind === 'saved';
      } catch (error) {
        if (!isClientError(error, 'refused')) throw error;
        expect(error).toMatchObject({ code: 9001, message: expect.stringContaining('somebody else') as string });
        counts.refused += 1;
        return false;
      }
    }),
  );
  const after = view(await kind.read(objects, id));
  edits.forEach(({ field, value }, person) => {
    const isThere = after[field] === value;
    if (kept[person]) {
      counts.saved += 1;
      if (!isThere) counts.lost += 1;
    } else expect(isThere, `${field} of a save that was refused`).toBe(false);
  });
}

function view(full: JsonObject): JsonObject {
  return editableView(full, dataTagKind.shape);
}

it('loses no racing save where the server takes the expected revision', async () => {
  for (let round = 0; round < rounds; round++) await race(dataTagKind, round, tally);
  const { saves, saved, refused, conflicts, lost } = tally;
  expect(saves).toBe(1000);
  expect(saved).toBeGreaterThanOrEqual(rounds);
  // A save that was overtaken is joined with what came before it; those of the same field cannot be.
  expect(refused + conflicts).toBeGreaterThanOrEqual(rounds);
  expect(lost).toBe(0);
  figure('R5', `${saves} racing saves: ${saved} kept, ${refused} refused, ${conflicts} in conflict, ${lost} lost`);
}, 400_000);

it('shows the race where the server is not told', async () => {
  const blind = { ...tally, saves: 0, saved: 0, lost: 0 };
  const untold: ObjectKind = {
    ...dataTagKind,
    save: async (to, datatag) => {
      const reply = await to.call('DataTag/SaveDataTag', { datatag });
      return isJsonObject(reply) ? reply : expect.fail('no object');
    },
  };
  for (let round = rounds; round < rounds + 20; round++) await race(untold, round, blind);
  expect(blind.lost).toBeGreaterThan(0);
  figure('R5', `the same without the expected revision: ${blind.lost} of ${blind.saves} lost`);
}, 60_000);
