import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { folder as folderSchema, libraryItem, libraryTreeEntry } from '../../../src/contract/resources/library.ts';
import type { LibraryNode } from '../../../src/contract/resources/library.ts';
import { callerKinds, reportOf, Scene, type CallerKind, type Json } from '../../support/matrix/scene.ts';

/*
 * Who sees a folder or a report changes only by those who may decide it. The oracle is what every kind of user is shown before
 * and after: a folder that anybody is shown differently had the caller as its admin (or for its deletion as one who may delete
 * it), or an administrator.
 */

let scene: Scene;
let otherGroup: string;
beforeAll(async () => {
  scene = await Scene.open();
  const { groupId } = scene.tenants.own;
  const join = (GroupId: string, kind: CallerKind, RoleId: string) =>
    scene.asSuperAdmin('Group/AddUser', { GroupId, ContactId: scene.person(kind).userId, RoleId });
  otherGroup = String((await scene.newGroup('own')).GroupId);
  await join(groupId, 'administrator', '3');
  await join(otherGroup, 'stranger', '2');
  await join(otherGroup, 'groupAdmin', '2');
  for (const kind of ['administrator', 'stranger', 'groupAdmin'] as const) await scene.signIn(kind);
});
afterAll(() => scene.close());

const open = (...groupIds: string[]) =>
  groupIds.map((RightID) => ({
    ...{ LeftID: '', RightID, RelationshipType: 'fld_grp', RelationType: 'fld_grp', PermissionTypeEnum: 2 },
  }));

const allUsers = '1';

async function newFolder(Permissions: object[], more: object = {}): Promise<Json> {
  const libraryfolder = { ...folderSchema.parse(await scene.ask('library/NewLibraryFolder')) };
  const sent = { ...libraryfolder, fname: scene.name('own'), Permissions, ...more };
  return scene.ask('library/SaveLibraryFolder', { libraryfolder: sent, isShared: true });
}

/** A tenant's folder with one below it, a report in it, and places to move things to. */
async function ground() {
  const { own } = scene.tenants;
  const tenant = await newFolder(open(own.groupId));
  const inner = await newFolder([], { ParentLibrary: String(tenant.id) });
  const sibling = await newFolder(open(own.groupId));
  const shared = await newFolder(open(own.groupId, allUsers));
  const hidden = await newFolder(open(own.groupId), { isHidden: true });
  const definition = reportOf({ name: own.name, folderId: String(tenant.id) }, scene.name('own'));
  const report = await scene.ask('Report/SaveReport', { report: definition, processlinks: true });
  return { tenant, inner, sibling, shared, hidden, report };
}
type Ground = Awaited<ReturnType<typeof ground>>;

/** What one kind of user is shown: the rights on every folder of the tree, and the ids of the reports with the right to delete. */
async function shownTo(kind: CallerKind) {
  const { call } = scene.person(kind);
  const tree = libraryTreeEntry.array().parse((await call('library/GetAllLibraryTree')).json ?? []);
  const items = libraryItem.array().parse((await call('library/SearchReports', { searchstring: '' })).json ?? []);
  const nodes = (node: LibraryNode): LibraryNode[] => [node, ...(node.children ?? []).flatMap(nodes)];
  const folders = tree.flatMap(({ rootnode }) => (rootnode ? nodes(rootnode) : []));
  return {
    folders: new Map(folders.map((node) => [`folder ${node.id}`, node])),
    items: new Map(items.map((item) => [`report ${item.id}`, item])),
  };
}

async function shownToAll() {
  const shown = new Map<CallerKind, Awaited<ReturnType<typeof shownTo>>>();
  for (const kind of callerKinds) shown.set(kind, await shownTo(kind));
  return shown;
}
type Shown = Awaited<ReturnType<typeof shownToAll>>;

const rightsOf = (node: LibraryNode | undefined) =>
  node && [node.isUserView, node.isUserModify, node.isUserDelete, node.isUserAdmin].join();

/** Ids of the folders and reports that somebody is shown differently, new ones left out. */
function changed(before: Shown, after: Shown) {
  const ids = new Set<string>();
  const known = new Set([...before.values()].flatMap(({ folders, items }) => [...folders.keys(), ...items.keys()]));
  for (const kind of callerKinds) {
    const [was, is] = [before.get(kind), after.get(kind)];
    for (const id of known) {
      const isSame =
        rightsOf(was?.folders.get(id)) === rightsOf(is?.folders.get(id)) && was?.items.has(id) === is?.items.has(id);
      if (!isSame) ids.add(id);
    }
  }
  return [...ids];
}

const replied = z.object({ error_code: z.number().nullish(), ErrorCode: z.number().nullish() });
const refusedMessage = z.object({ error_message: z.string().nullish(), ErrorMessage: z.string().nullish() });

const save = (folder: Json, change: object) =>
  ['library/SaveLibraryFolder', { libraryfolder: { ...folder, ...change }, isShared: true }] as const;
const move = (path: 'Report/SaveReport' | 'Report/UpdateReport', { report }: Ground, to: Json) =>
  [path, { report: { ...report, folderid: to.id }, processlinks: true }] as const;

const modifiers: CallerKind[] = ['editor', 'groupAdmin', 'administrator', 'superAdmin'];
const deciders: CallerKind[] = ['groupAdmin', 'administrator', 'superAdmin'];
const deleters: CallerKind[] = ['groupAdmin', 'superAdmin'];

/** Each change, the field that a refusal names, and who may make it. */
const changes: Record<string, [string, CallerKind[], (ground: Ground) => readonly [string, object]]> = {
  'a new name': ['', modifiers, ({ tenant }) => save(tenant, { fname: 'Renamed' })],
  'the same place for other folders': [
    '',
    modifiers,
    ({ inner, sibling }) => save(inner, { ParentLibrary: String(sibling.id) }),
  ],
  isHidden: ['isHidden', deciders, ({ tenant }) => save(tenant, { isHidden: true })],
  'isHidden of a folder below': ['isHidden', deciders, ({ inner }) => save(inner, { isHidden: true })],
  'isHidden taken back': ['isHidden', deciders, ({ hidden }) => save(hidden, { isHidden: false })],
  InheritPermissions: ['InheritPermissions', deciders, ({ inner }) => save(inner, { InheritPermissions: false })],
  'no group': ['Permissions', deciders, ({ tenant }) => save(tenant, { Permissions: [] })],
  'All Users beside the group': [
    'Permissions',
    deciders,
    ({ tenant }) => save(tenant, { Permissions: open(scene.tenants.own.groupId, allUsers) }),
  ],
  'All Users below': ['Permissions', deciders, ({ inner }) => save(inner, { Permissions: open(allUsers) })],
  'a place that others see': [
    'ParentLibrary',
    deciders,
    ({ inner, shared }) => save(inner, { ParentLibrary: String(shared.id) }),
  ],
  'a hidden place': [
    'ParentLibrary',
    deciders,
    ({ inner, hidden }) => save(inner, { ParentLibrary: String(hidden.id) }),
  ],
  'no folder any more': ['', deleters, ({ tenant }) => ['library/DelFolder', { folderid: String(tenant.id) }]],
  'no report any more': ['', deleters, ({ report }) => ['library/DelReport', { ReportId: report.ReportID }]],
  'a report where the same people see it': [
    '',
    ['editor', 'groupAdmin', 'superAdmin'],
    (made) => move('Report/SaveReport', made, made.sibling),
  ],
  'a report where others see it': ['folderid', deleters, (made) => move('Report/SaveReport', made, made.shared)],
  'a report in a hidden place': ['folderid', deleters, (made) => move('Report/UpdateReport', made, made.hidden)],
};

describe('who sees a folder or a report', () => {
  describe.each(Object.entries(changes))('%s', (_, [field, allowed, change]) => {
    it.each(callerKinds)('%s', async (kind) => {
      const made = await ground();
      const before = await shownToAll();
      const stored = scene.storedState();
      const [path, body] = change(made);
      const reply = await scene.person(kind).call(path as 'library/SaveLibraryFolder', body);
      const after = await shownToAll();

      const own = before.get(kind);
      for (const id of changed(before, after)) {
        const isDecided = own?.folders.get(id)?.isUserAdmin === true || own?.items.get(id)?.isUserDelete === true;
        expect(isDecided || kind === 'administrator' || kind === 'superAdmin', `${kind} changed who sees ${id}`).toBe(
          true,
        );
      }
      const isAllowed = allowed.includes(kind);
      expect(scene.storedState() !== stored, `${kind} changed something`).toBe(isAllowed);
      if (isAllowed || !modifiers.includes(kind) || field === '' || reply.status === 204) return;
      const { error_code, ErrorCode } = replied.parse(reply.json);
      const { error_message, ErrorMessage } = refusedMessage.parse(reply.json);
      // An administrator without a role on the application does not know the report.
      if (kind === 'administrator' && field === 'folderid') return void expect(ErrorCode).toBe(586);
      expect(error_code ?? ErrorCode).toBe(9001);
      expect(error_message ?? ErrorMessage).toContain(field);
    });
  });

  it('stays as it is below a folder, where the caller is no admin of what is below', async () => {
    const { tenant } = await ground();
    const closed = await newFolder(open(otherGroup), { ParentLibrary: String(tenant.id) });
    const before = await shownToAll();
    expect(before.get('groupAdmin')?.folders.get(`folder ${String(closed.id)}`)?.isUserAdmin).toBe(false);
    const { call } = scene.person('groupAdmin');
    for (const change of [{ isHidden: true }, { Permissions: [] }]) {
      const reply = await call(...save(tenant, change));
      expect(reply.json).toMatchObject({ error_code: 9001 });
      expect(reply.text).toContain('not an admin of all of those');
    }
    expect(changed(before, await shownToAll())).toEqual([]);
  });
});
