import { beforeEach, describe, expect, it } from 'vitest';
import { ClientError } from '../../../../src/client/clientError.ts';
import { changeFolderGroups } from '../../../../src/access/folderAccess.ts';
import type { Json, JsonObject } from '../../../../src/objects/json.ts';
import { registeredServerKind } from '../../../../src/objects/kinds/administrationKinds.ts';
import { groupKind } from '../../../../src/objects/kinds/securityKinds.ts';
import type { ObjectKind } from '../../../../src/objects/kinds/objectKind.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';
import { deleteObject } from '../../../../src/objects/save/deleteObject.ts';
import { changeSecret } from '../../../../src/objects/save/storedSecret.ts';

/** A server whose objects a test holds; nothing here reads what it sent. */
const server: ObjectServer = {
  name: 'Shop',
  installation: async () => 'one',
  call: async (path): Promise<Json> => {
    throw new Error(`${path} was not expected.`);
  },
};

const lost = new ClientError('unreachable', 'The connection broke.', { server: 'Shop' });

/** A kind of which objects are kept in `objects`. */
function kindOf(like: ObjectKind, objects: Map<string, JsonObject>, more: Partial<ObjectKind>): ObjectKind {
  const read = async (_server: ObjectServer, id: string) => {
    const found = objects.get(id);
    if (!found) throw new ClientError('refused', 'There is none.', { server: 'Shop', code: 9001 });
    return found;
  };
  const list = async () => [...objects.keys()].map((id) => ({ id, name: 'North', detail: '' }));
  return { ...like, read, list, ...more };
}

describe('a deletion', () => {
  let objects: Map<string, JsonObject>;
  beforeEach(() => {
    objects = new Map(['1', '12', '112'].map((id) => [id, { GroupId: id, GroupName: 'North' }]));
  });

  it.each(['1', '12', '112'])('of entry %s is done though ids of others begin or end alike', async (id) => {
    const remove = async () => void objects.delete(id);
    await deleteObject(server, kindOf(groupKind, objects, { remove }), id, [0]);
    expect(objects.has(id)).toBe(false);
    expect(objects.size).toBe(2);
  });

  it.each(['1', '12'])('of entry %s that did nothing is no success', async (id) => {
    const kind = kindOf(groupKind, objects, { remove: async () => undefined });
    await expect(deleteObject(server, kind, id, [0])).rejects.toThrow('still lists it');
  });

  it('whose reply is lost is known by the entry that is gone', async () => {
    const remove = async () => {
      objects.delete('1');
      throw lost;
    };
    await deleteObject(server, kindOf(groupKind, objects, { remove }), '1', [0]);
    const swallowed = kindOf(groupKind, objects, {
      remove: async () => {
        throw lost;
      },
    });
    await expect(deleteObject(server, swallowed, '12', [0])).rejects.toMatchObject({ kind: 'unknownOutcome' });
  });
});

describe('a new secret whose reply is lost', () => {
  const stored = { ID: '3', DisplayName: 'Flights', DatabasePassword: '' };

  it('is unknown where the server never shows it', async () => {
    let sent: JsonObject | undefined;
    const save = async (_server: ObjectServer, full: JsonObject) => {
      sent = full;
      throw lost;
    };
    const kind = kindOf(registeredServerKind, new Map([['3', stored]]), { save });
    const change = changeSecret(server, { kind, id: '3', secret: 'hush', pauses: [0] });
    await expect(change).rejects.toMatchObject({ kind: 'unknownOutcome' });
    expect(sent).toEqual({ ...stored, DatabasePassword: 'hush' });
  });

  it('is known where the server shows it', async () => {
    const objects = new Map<string, JsonObject>([['3', stored]]);
    const save = async (_server: ObjectServer, full: JsonObject) => {
      objects.set('3', full);
      throw lost;
    };
    const kind = kindOf(registeredServerKind, objects, { save });
    await changeSecret(server, { kind, id: '3', secret: 'hush', pauses: [0] });
  });
});

describe('the last group of a folder', () => {
  const folder = (...groups: string[]) => ({
    id: 4,
    fname: 'North',
    InheritPermissions: true,
    Permissions: groups.map((RightID) => ({ RightID })),
  });

  /** Changes a folder that has these groups by now. @returns the groups that were sent; undefined for none. */
  async function change(now: readonly string[], wish: Parameters<typeof changeFolderGroups>[2]) {
    let saved: JsonObject = folder(...now);
    let isSent = false;
    const call: ObjectServer['call'] = async (path, body): Promise<Json> => {
      if (path === 'library/GetFolderById') return saved;
      isSent = true;
      const [sent] = Object.values(body as Record<string, JsonObject>).filter((part) => typeof part === 'object');
      return (saved = { ...saved, ...sent });
    };
    await changeFolderGroups({ ...server, call }, '4', wish);
    return isSent ? (saved.Permissions as JsonObject[]).map(({ RightID }) => RightID) : undefined;
  }

  it('is not removed where others removed the rest meanwhile: that would open it to all', async () => {
    await expect(change(['2'], { removed: ['2'] })).rejects.toThrow('Someone else just changed');
  });

  it('is removed where that was agreed to, and where another comes', async () => {
    expect(await change(['2'], { removed: ['2'], mayOpen: true })).toEqual([]);
    expect(await change(['2'], { removed: ['2'], added: ['3'] })).toEqual(['3']);
    expect(await change(['2', '5'], { removed: ['2'] })).toEqual(['5']);
  });
});
