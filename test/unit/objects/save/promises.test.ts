import { describe, expect, it } from 'vitest';
import { editableView } from '../../../../src/objects/merge/editableView.ts';
import { parseExact, isJsonObject, type JsonObject } from '../../../../src/objects/json.ts';
import { findKind, objectKinds } from '../../../../src/objects/kinds/kinds.ts';
import type { ObjectKind } from '../../../../src/objects/kinds/objectKind.ts';
import { saveObject, unknownBase } from '../../../../src/objects/save/saveObject.ts';
import { onlyForConflicts, threeWayMerge, type ChooseSide } from '../../../../src/objects/merge/threeWayMerge.ts';
import { figure } from '../../../support/run/figure.ts';
import { ObjectStub, stubKinds } from '../../../support/documents/objectStub.ts';

describe('the promises about documents', () => {
  it('has a stub of every kind', () => {
    expect(Object.keys(stubKinds).sort()).toEqual(objectKinds.map(({ name }) => name).sort());
  });

  it('R6: an answer to a conflict holds for the state that was shown, and once', async () => {
    let again = 0;
    for (let round = 0; round < 100; round++) {
      const { name } = objectKinds[round % objectKinds.length] ?? { name: '' };
      const { kind, id, server, base, mine } = await edited(name);
      server.change('West', 'Hill');
      const shown = await saveObject(server, { kind, id, base, mine, askSecret });
      if (shown.kind !== 'conflict') throw new Error(`${name}: ${shown.kind}`);
      // Somebody is quicker than the click, with a text of the same length.
      server.change('Hill', 'Dale');
      const resolution = { serverState: shown.serverState, choose: () => 'mine' as const };
      const answered = await saveObject(server, { kind, id, base, mine, askSecret, resolution });
      if (answered.kind === 'conflict' && server.saves.length === 0) again++;
    }
    expect(again).toBe(100);
    figure('R6', `${again} of 100 changes between the question and the answer conflicted again, 0 overwritten`);
  });

  it('R7: an answer to a conflict decides nothing but the fields that were shown, as they were shown', () => {
    const merge = (mine: JsonObject, choose?: ChooseSide) =>
      threeWayMerge({ A: 1, B: 1 }, mine, { A: 3, B: 3 }, {}, choose);
    const { conflicts } = merge({ A: 2, B: 1 });
    expect(conflicts.map(({ path }) => path)).toEqual(['A']);
    for (const side of ['mine', 'theirs'] as const) {
      const choose = onlyForConflicts(conflicts, () => side);
      expect(merge({ A: 2, B: 1 }, choose)).toMatchObject({
        conflicts: [],
        view: { A: side === 'mine' ? 2 : 3, B: 3 },
      });
      // Edited while the question stood: another field, and the same one once more.
      expect(merge({ A: 2, B: 2 }, choose).conflicts.map(({ path }) => path)).toEqual(['B']);
      expect(merge({ A: 4, B: 1 }, choose).conflicts.map(({ path }) => path)).toEqual(['A']);
    }
  });

  it('R17: asks before it saves a text of which nobody knows what it started from', async () => {
    for (const { name, shape } of objectKinds) {
      const { kind, id, server, mine } = await edited(name);
      const request = { kind, id, base: unknownBase(mine, shape), mine, askSecret };
      const shown = await saveObject(server, request);
      if (shown.kind !== 'conflict') throw new Error(`${name}: ${shown.kind}`);
      expect(server.saves, name).toEqual([]);
      const resolution = { serverState: shown.serverState, choose: () => 'mine' as const };
      expect((await saveObject(server, { ...request, resolution })).kind, name).toBe('saved');
      expect(JSON.stringify(server.saves), name).toContain('"Mine"');
      // The server has it by now, so there is nothing to ask about.
      expect((await saveObject(server, request)).kind, name).toBe('saved');
      expect(server.saves, name).toHaveLength(1);
    }
  });

  it('saves an own profile as the account that it belongs to, and as no other', async () => {
    for (const account of ['7', '8']) {
      const { kind, id, server, base, mine } = await edited('profile');
      const own = Object.assign(server, { accountId: () => account });
      const saving = saveObject(own, { kind, id, base, mine, askSecret });
      if (account === id) expect((await saving).kind).toBe('saved');
      else await expect(saving).rejects.toThrow('belongs to a different account');
      expect(server.saves).toHaveLength(account === id ? 1 : 0);
    }
  });

  it('R21: no save blanks a stored password', async () => {
    const secretFields = ['DatabasePassword', 'SMTPPassword', 'Pin', 'mfa_clientsecret'];
    const kinds = ['server', 'smtp', 'user', 'profile', 'settings'];
    let saves = 0;
    let blanked = 0;
    let unsent = 0;
    for (const given of ['s3cret', '', undefined]) {
      for (const name of kinds) {
        const { kind, id, server, base, mine } = await edited(name);
        const asked: string[] = [];
        const outcome = await saveObject(server, {
          ...{ kind, id, base, mine },
          askSecret: async (field) => {
            asked.push(field);
            return given;
          },
        });
        expect(Object.keys(base).filter((field) => secretFields.includes(field))).toEqual([]);
        // Instance settings need theirs only for a second factor.
        const secret = name === 'settings' ? undefined : kind.secret;
        const isNeeded = secret !== undefined;
        expect(asked).toEqual(secret ? [secret.field] : []);
        if (isNeeded && !given) {
          expect(outcome.kind).toBe('cancelled');
          expect(server.saves).toEqual([]);
          unsent++;
          continue;
        }
        saves++;
        const [sent] = server.saves;
        if (secret && sent?.[secret.field] !== 's3cret') blanked++;
      }
    }
    expect(blanked).toBe(0);
    figure('R21', `${saves} saves of objects with passwords, 0 blanked; ${unsent} were not sent without the password`);
  });

  it('R21: a second factor whose secret the server keeps to itself is saved with one if there is one', async () => {
    const { kind, id, server, base, mine } = await edited('settings');
    const asked: [string, boolean][] = [];
    await saveObject(server, {
      ...{ kind, id, base, mine: { ...mine, mfa_enabled: 'True' } },
      askSecret: async (...question) => {
        asked.push(question);
        return 's3cret';
      },
    });
    expect(asked).toEqual([['mfa_clientsecret', true]]);
    expect(server.saves[0]).toMatchObject({ mfa_enabled: 'True', mfa_clientsecret: 's3cret' });
  });

  it('R21: a database that moves takes the stored password along only if it is given again', async () => {
    const { kind, id, server, base } = await edited('server');
    server.change('reader', '');
    const moved = { ...base, DatabaseLogin: '', DatabaseServer: 'elsewhere.example' };
    const asked: [string, boolean][] = [];
    await saveObject(server, {
      ...{ kind, id, base: { ...base, DatabaseLogin: '' }, mine: moved },
      askSecret: async (...question) => {
        asked.push(question);
        return '';
      },
    });
    expect(asked).toEqual([['DatabasePassword', true]]);
    expect(server.saves).toHaveLength(1);
  });
});

const askSecret = async () => 's3cret';

/** An object with its view, and the view with another text in it. */
async function edited(name: string) {
  const kind = findKind(name) as ObjectKind;
  const id = stubKinds[name]?.id ?? '';
  const server = new ObjectStub(name);
  const base = editableView(await kind.read(server, id), kind.shape);
  const mine = parseExact(JSON.stringify(base).replace('"West"', '"Mine"'));
  if (!isJsonObject(mine)) throw new Error(`${name} has no view.`);
  return { kind, id, server, base, mine: mine satisfies JsonObject };
}
