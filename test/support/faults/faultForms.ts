import { assignGroup } from '../../../src/features/security/policyAssignment.ts';
import { addMember, removeMember } from '../../../src/access/membership.ts';
import { setFavourite } from '../../../src/features/library/favourites.ts';
import type { AnalyticsClient } from '../../../src/client/client.ts';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { createObject } from '../../../src/objects/save/createObject.ts';
import { deleteObject } from '../../../src/objects/save/deleteObject.ts';
import type { PendingCreate } from '../../../src/objects/save/pendingCreate.ts';
import { editableView } from '../../../src/objects/merge/editableView.ts';
import { identifierText, type Json, type JsonObject } from '../../../src/objects/json.ts';
import { auditKind } from '../../../src/objects/kinds/administrationKinds.ts';
import { folderKind, reportKind } from '../../../src/objects/kinds/libraryKinds.ts';
import { reportTypeKind } from '../../../src/objects/kinds/reportTypeKind.ts';
import { groupKind, policyKind } from '../../../src/objects/kinds/securityKinds.ts';
import { idOf, type ObjectKind } from '../../../src/objects/kinds/objectKind.ts';
import type { ObjectServer } from '../../../src/objects/objectServer.ts';
import { reportTypeDocumentId } from '../../../src/objects/kinds/reportTypeId.ts';
import { saveObject } from '../../../src/objects/save/saveObject.ts';
import type { FaultGround } from './faultGround.ts';
import { isRecord } from '../isRecord.ts';

/** Who writes in one run, through the faults. */
export interface FormWriter {
  client: AnalyticsClient;
  objects: ObjectServer;
  /** Pauses, in ms, before each look for a write whose reply was lost. */
  pauses: readonly number[];
}

/** One write that is about to be made, and how to see on the server itself what came of it. */
export interface FormWrite {
  kind: 'create' | 'change' | 'delete';
  path: EndpointPath;
  /** Makes it; called again when its outcome was unknown and the user tries once more. */
  send(writer: FormWriter): Promise<unknown>;
  /** How often the server has what it is to bring about: 2 is a duplicate. */
  timesDone(): Promise<number>;
  /** Takes away what it left. */
  end(): Promise<unknown>;
}

/** Kinds of writes beside the saves of data tags: one at least for each form in which a write is answered. */
export const forms = {
  'folder made': (ground, name) => created(ground, folderKind, 'library/SaveLibraryFolder', name, ground.folderId),
  'folder deleted': async (ground, name) => {
    const folder = {
      ...(await ground.template('library/NewLibraryFolder')),
      fname: name,
      ParentLibrary: ground.folderId,
    };
    const saved = await ground.call('library/SaveLibraryFolder', { libraryfolder: folder, isShared: true });
    return deleted(ground, folderKind, 'library/DelFolder', idIn(folderKind, saved));
  },
  'report deleted': async (ground, name) =>
    deleted(ground, reportKind, 'library/DelReport', await ground.newReport(name)),
  'report type changed': (ground, name) => ground.exclusively(() => reportTypeChanged(ground, name)),
  'favourite marked': favouriteMarked,
  'member added': async (ground, name) => {
    const group = await newGroup(ground, name);
    const membership = { groupId: group, userId: ground.userId, roleId: '2', words: `ada in ${name}` };
    return {
      kind: 'change',
      path: 'Group/AddUser',
      send: ({ client, pauses }) => addMember(client, membership, pauses),
      timesDone: async () => ((await isMember(ground, group)) ? 1 : 0),
      end: () => removed(ground, groupKind, group),
    };
  },
  'member removed': async (ground, name) => {
    const group = await newGroup(ground, name);
    await ground.call('Group/AddUser', { GroupId: group, ContactId: ground.userId, RoleId: '2' });
    const membership = { groupId: group, userId: ground.userId, words: `ada in ${name}` };
    return {
      kind: 'change',
      path: 'Group/RemoveUser',
      send: ({ client, pauses }) => removeMember(client, membership, pauses),
      timesDone: async () => ((await isMember(ground, group)) ? 0 : 1),
      end: () => removed(ground, groupKind, group),
    };
  },
  'policy assigned': async (ground, name) => {
    const policyId = await newPolicy(ground, name);
    const { groupId } = ground;
    return {
      kind: 'change',
      path: 'Shield/AddGroup',
      send: ({ client, pauses }) => assignGroup(client, { policyId, groupId, words: name }, true, pauses),
      timesDone: async () => {
        const groups = (await policyKind.read(ground.objects, policyId)).Groups;
        return listOf(groups).filter((group) => isRecord(group) && identifierText(group.GroupId) === groupId).length;
      },
      end: () => removed(ground, policyKind, policyId),
    };
  },
  'policy deleted': async (ground, name) =>
    deleted(ground, policyKind, 'Shield/DeletePolicy', await newPolicy(ground, name)),
  'audit types saved': (ground, name) => ground.exclusively(() => auditSaved(ground, name)),
} satisfies Record<string, (ground: FaultGround, name: string) => Promise<FormWrite>>;

/** Not drawn at random, as the API cannot delete what it makes: a create whose reply is a number that names nothing. */
export function reportTypeMade(ground: FaultGround, name: string): Promise<FormWrite> {
  return created(ground, reportTypeKind, 'AppBuilder/SaveAnyDbModule', name, ground.regServerId);
}

export type FormName = keyof typeof forms;

/** A new object of a name of its own, in a place; a second try looks for what the first may have made. */
async function created(
  ground: FaultGround,
  kind: ObjectKind,
  path: EndpointPath,
  name: string,
  parent: string,
): Promise<FormWrite> {
  const earlier: PendingCreate[] = [];
  const template = (await kind.template?.(ground.objects, parent)) ?? {};
  const view = { ...editableView(template, kind.shape), [kind.nameField ?? '']: name };
  const named = async () => ((await kind.list?.(ground.objects)) ?? []).filter((entry) => entry.name === name);
  return {
    kind: 'create',
    path,
    send: ({ objects, pauses }) =>
      createObject(objects, {
        ...{ kind, view, parent, pauses, earlier },
        askSecret: async () => '',
        // Whatever was late has come by now: what is not there was never made.
        askToRepeat: async (trace) => trace === 'nothing',
        onUnknown: (create) => earlier.push(create),
      }),
    timesDone: async () => (await named()).length,
    end: async () => {
      for (const { id } of kind.remove ? await named() : []) await removed(ground, kind, id);
    },
  };
}

function deleted(ground: FaultGround, kind: ObjectKind, path: EndpointPath, id: string): FormWrite {
  const isThere = async () => ((await kind.list?.(ground.objects)) ?? []).some((entry) => entry.id === id);
  return {
    kind: 'delete',
    path,
    send: ({ objects, pauses }) => deleteObject(objects, kind, id, pauses),
    timesDone: async () => ((await isThere()) ? 0 : 1),
    end: async () => {
      if (await isThere()) await removed(ground, kind, id);
    },
  };
}

async function changed(
  ground: FaultGround,
  { kind, id, path }: { kind: ObjectKind; id: string; path: EndpointPath },
  change: (view: JsonObject) => JsonObject,
  isDone: (view: JsonObject) => boolean,
): Promise<FormWrite> {
  const now = async () => editableView(await kind.read(ground.objects, id), kind.shape);
  const base = await now();
  const mine = change(base);
  return {
    kind: 'change',
    path,
    send: async ({ objects, pauses }) => {
      const outcome = await saveObject(objects, { kind, id, base, mine, pauses, askSecret: async () => undefined });
      if (outcome.kind === 'unknown') throw outcome.cause;
      if (outcome.kind !== 'saved' || outcome.notTaken.length > 0) throw new Error(`${path}: ${outcome.kind}`);
    },
    timesDone: async () => (isDone(await now()) ? 1 : 0),
    end: async () => undefined,
  };
}

function reportTypeChanged(ground: FaultGround, name: string): Promise<FormWrite> {
  const { regServerId, moduleId, reportTypeId } = ground;
  const id = reportTypeDocumentId({ regServerId, moduleId }, reportTypeId);
  const place = { kind: reportTypeKind, id, path: 'AppBuilder/SaveAnyDbModule' } as const;
  return changed(
    ground,
    place,
    (view) => ({ ...view, RepTypeName: name }),
    (view) => view.RepTypeName === name,
  );
}

function auditSaved(ground: FaultGround, name: string): Promise<FormWrite> {
  const withOptions = (view: JsonObject): JsonObject => ({
    AuditTypes: listOf(view.AuditTypes).map((type, index) =>
      index === 0 && isRecord(type) ? { ...type, options: name } : type,
    ),
  });
  const isDone = (view: JsonObject) => {
    const [first] = listOf(view.AuditTypes);
    return isRecord(first) && first.options === name;
  };
  return changed(ground, { kind: auditKind, id: 'audit', path: 'Audit/SaveAuditTypes' }, withOptions, isDone);
}

async function favouriteMarked(ground: FaultGround, name: string): Promise<FormWrite> {
  const itemId = await ground.newReport(name);
  return {
    kind: 'change',
    path: 'library/FavReport',
    send: ({ client, pauses }) => setFavourite(client, { itemId, name, isDashboard: false }, true, pauses),
    timesDone: async () => {
      const found = listOf(await ground.call('library/SearchReports', { searchstring: name }));
      return found.filter((item) => isRecord(item) && identifierText(item.id) === itemId && item.isFav === true).length;
    },
    end: () => removed(ground, reportKind, itemId),
  };
}

async function newGroup(ground: FaultGround, name: string): Promise<string> {
  const group = { ...(await ground.template('Group/NewSecurityGroup')), GroupName: name };
  return idIn(groupKind, await ground.call('Group/SaveSecurityGroup', { group }));
}

async function newPolicy(ground: FaultGround, name: string): Promise<string> {
  const policy = { ...(await ground.template('Shield/NewPolicy')), Name: name, Groups: [], Users: [] };
  const body = { policy, isDeepSave: true, groups: [], users: [] };
  return idIn(policyKind, await ground.call('Shield/SaveShieldPolicy', body));
}

async function isMember(ground: FaultGround, groupId: string): Promise<boolean> {
  const user = await ground.call('Contact/GetContactById', { ContactId: ground.userId });
  const groups = isRecord(user) ? listOf(user.SecurityGroups) : [];
  return groups.some((group) => isRecord(group) && identifierText(group.GroupId) === groupId);
}

async function removed(ground: FaultGround, kind: ObjectKind, id: string): Promise<void> {
  await kind.remove?.(ground.objects, await kind.read(ground.objects, id));
}

function idIn(kind: ObjectKind, reply: Json): string {
  const id = isRecord(reply) ? idOf(kind, reply) : undefined;
  if (id === undefined) throw new Error(`No ${kind.name} was made: ${JSON.stringify(reply)}`);
  return id;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
