import { describe, expect, it } from 'vitest';
import { setPin, unlockUser } from '../../../../src/objects/userAccess.ts';
import { deleteObject } from '../../../../src/objects/save/deleteObject.ts';
import { editableView } from '../../../../src/objects/merge/editableView.ts';
import { isJsonObject, parseExact, type Json, type JsonObject } from '../../../../src/objects/json.ts';
import { dataTagKind, userKind } from '../../../../src/objects/kinds/securityKinds.ts';
import { objectKinds } from '../../../../src/objects/kinds/kinds.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';
import { saveObject } from '../../../../src/objects/save/saveObject.ts';
import { endpoints, type EndpointPath } from '../../../../src/contract/endpoints.ts';
import { stubKinds } from '../../../support/documents/objectStub.ts';

const malformed = { kind: 'malformed' };
const askSecret = async () => undefined;

/** A server that answers every read with one object, whatever was asked for, and keeps what is written. */
function mixedUp(object: object, writes: string[] = [], isList = false): ObjectServer {
  return {
    name: 'Test',
    installation: async () => 'one',
    call: async (path: EndpointPath): Promise<Json> => {
      if (!endpoints[path].isSafe) writes.push(path);
      const answer = parseExact(JSON.stringify(object));
      if (path === 'AppBuilder/GetAnyDbModule') return { ReportTypes: [answer] };
      return isList || path.includes('List') || path.includes('GetAll') ? [answer] : answer;
    },
  };
}

describe('a server that answers with another object', () => {
  const kinds = objectKinds.filter(({ nameField }) => nameField !== undefined);

  it.each(kinds.map((kind) => [kind.name, kind] as const))('is not believed about a %s', async (name, kind) => {
    const stub = stubKinds[name];
    if (!stub) throw new Error(`There is no stub of ${name}.`);
    const base = editableView(viewOf(stub.object), kind.shape);
    const mine = { ...base, [kind.nameField ?? '']: 'Mine' };
    const asked = stub.id.replace(/\d+$/, '8');
    for (const found of [
      stub.object,
      { ...stub.object, [kind.idField]: null },
      { ...stub.object, [kind.idField]: '' },
    ]) {
      const writes: string[] = [];
      const server = mixedUp(found, writes, stub.isList);
      await expect(kind.read(server, asked)).rejects.toThrow();
      await expect(saveObject(server, { kind, id: asked, base, mine, askSecret, pauses: [0] })).rejects.toThrow();
      if (kind.remove) await expect(deleteObject(server, kind, asked, [0])).rejects.toThrow();
      expect(writes).toEqual([]);
    }
  });

  it('is not believed about a report type of another application that has the same id', async () => {
    const kind = objectKinds.find(({ name }) => name === 'reporttype');
    const reportType = { RepTypeID: 7, RepTypeName: 'West', SQLTables: [], FieldTree: [] };
    const read = (Moduleid: unknown) => kind?.read(mixedUp({ ...reportType, Moduleid }), '2.3.7');
    await expect(read(4)).rejects.toMatchObject(malformed);
    for (const Moduleid of [3, '3', null, 0]) await expect(read(Moduleid)).resolves.toMatchObject(reportType);
  });

  it('gets no password and unlocks nobody', async () => {
    const writes: string[] = [];
    const server = mixedUp({ ID: '77', LoginName: 'ada' }, writes);
    await expect(setPin(server, '12', 'new password')).rejects.toMatchObject(malformed);
    await expect(unlockUser(server, '12')).rejects.toMatchObject(malformed);
    await expect(userKind.read(server, '12')).rejects.toThrow('for the object 12 with the object 77');
    expect(writes).toEqual([]);
  });

  it('after a save leaves it open what became of it', async () => {
    let reads = 0;
    const user = { ID: '12', LoginName: 'nora', Company: '' };
    const server: ObjectServer = {
      ...mixedUp(user),
      call: async (path) => {
        if (path !== 'Contact/GetContactById') return parseExact(JSON.stringify(user));
        reads += 1;
        return parseExact(JSON.stringify(reads === 1 ? user : { ...user, ID: '77', Company: 'x' }));
      },
    };
    const base = viewOf(user);
    const edit = { kind: userKind, id: '12', base, mine: { ...base, Company: 'x' }, askSecret, pauses: [0] };
    expect(await saveObject(server, edit)).toMatchObject({ kind: 'unknown' });
  });
});

describe('a deletion that was accepted', () => {
  it('is a refusal when the object is still listed', async () => {
    const tag = { ID: '7', Label: 'state' };
    const server = mixedUp(tag);
    await expect(deleteObject(server, dataTagKind, '7', [0])).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('still lists it') as unknown,
    });
  });
});

function viewOf(object: object): JsonObject {
  const value = parseExact(JSON.stringify(object));
  if (!isJsonObject(value)) throw new Error('No object.');
  return value;
}
