import * as z from 'zod';
import {
  changing,
  creating,
  deleting,
  joining,
  leaving,
  unassigning,
  type AccessEdit,
} from '../../../src/access/rows/accessEdits.ts';
import type { AccessLists } from '../../../src/access/rows/snapshot.ts';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { isJsonObject, type JsonObject } from '../../../src/objects/json.ts';
import { textField } from '../../../src/objects/kinds/objectEntry.ts';
import type { PolicyContent, Step, StepConstraint } from './accessSteps.ts';
import { groupNames, tagLabels, type AccessWorld } from './accessWorld.ts';

/** A step as it is announced, and how to carry it out; `send` returns whether the server took it. */
export interface PlannedStep {
  readonly edit: AccessEdit;
  send(): Promise<boolean>;
}

const nothing: PlannedStep = { edit: (lists) => lists, send: async () => true };

/** Plans a step on what the server has. Missing objects are created, which the step then is. */
export async function planStep(world: AccessWorld, lists: AccessLists, step: Step): Promise<PlannedStep> {
  const { admin, userIds } = world;
  const call = async (path: EndpointPath, body: object) => {
    const { json, text } = await admin.call(path, body);
    return json ?? text;
  };
  const groups = z
    .array(z.record(z.string(), z.json()))
    .parse(await call('Group/GetAllSecurityGroups', {})) as JsonObject[];
  const groupOf = (name: string) => groups.find((group) => textField(group, 'GroupName') === name);
  const groupIdOf = (name: string) => textField(groupOf(name) ?? {}, 'GroupId');
  const groupIds = groupNames.map((name) => groupIdOf(name));
  const policyAt = (index: number) => lists.policies.find((policy) => textField(policy, 'Name') === `Policy ${index}`);
  const savePolicy = async (policy: JsonObject, groupsOf: string[], usersOf: string[]) =>
    isDone(await call('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: groupsOf, users: usersOf }));

  const policyStep = async (index: number, content: PolicyContent): Promise<PlannedStep> => {
    const found = policyAt(index) ?? template(await call('Shield/NewPolicy', {}));
    const chosen = [...groupIds, groupIdOf('All Users')];
    const ofGroups = chosen.filter((id, at) => id !== '' && ([...content.groups, content.allUsers][at] ?? false));
    const ofUsers = userIds.filter((_, at) => content.users[at]);
    const fields: JsonObject = {
      Name: `Policy ${index}`,
      isActive: content.isActive,
      Constraints: content.constraints.map((each) => constraintOf(world, each)),
      Groups: ofGroups.map((GroupId) => ({ GroupId })),
      Users: ofUsers.map((ID) => ({ ID })),
    };
    const isNew = policyAt(index) === undefined;
    const edit = isNew ? creating('policy', fields) : changed('policy', textField(found, 'id'), fields);
    return { edit, send: () => savePolicy({ ...found, ...fields }, ofGroups, ofUsers) };
  };

  switch (step.kind) {
    case 'join': {
      const name = groupNames[step.group] ?? '';
      const [groupId = '', userId = ''] = [groupIds[step.group], userIds[step.user]];
      if (groupId === '') {
        const fresh = template(await call('Group/NewSecurityGroup', {}));
        return {
          ...nothing,
          send: async () => isDone(await call('Group/SaveSecurityGroup', { group: { ...fresh, GroupName: name } })),
        };
      }
      const body = { GroupId: groupId, ContactId: userId, RoleId: step.role };
      return {
        edit: joining(groupId, name, [userId], step.role),
        send: async () => /Success/.test(JSON.stringify(await call('Group/AddUser', body))),
      };
    }
    case 'leave': {
      const [groupId = '', userId = ''] = [groupIds[step.group], userIds[step.user]];
      return {
        edit: leaving([{ groupId, userId }]),
        send: async () => (await call('Group/RemoveUser', { GroupId: groupId, ContactId: userId })) !== undefined,
      };
    }
    case 'deleteGroup': {
      const group = groupOf(groupNames[step.group] ?? '');
      if (!group) return nothing;
      return {
        edit: deleting([{ kind: 'group', id: textField(group, 'GroupId') }]),
        send: async () => isDone(await call('Group/DeleteSecurityGroup', { group })),
      };
    }
    case 'tag': {
      const label = tagLabels[step.tag] ?? '';
      const found = lists.tags.find((tag) => textField(tag, 'Label') === label);
      const entries = (ids: readonly string[], values: readonly (string | undefined)[]) =>
        ids.flatMap((RightID, index) =>
          values[index] !== undefined && RightID !== '' ? { RightID, Option1: values[index] } : [],
        );
      const fields: JsonObject = {
        ...{ Label: label, isActive: step.isActive, DefaultValue: step.fallback, isGroup: true, isUser: true },
        SecurityGroups: entries(groupIds, step.groups),
        Contacts: entries(userIds, step.users),
      };
      const datatag = { ...(found ?? template(await call('DataTag/NewDataTag', {}))), ...fields };
      return {
        edit: found ? changed('tag', textField(found, 'ID'), fields) : creating('tag', fields),
        send: async () => isDone(await call('DataTag/SaveDataTag', { datatag })),
      };
    }
    case 'deleteTag': {
      const datatag = lists.tags.find((tag) => textField(tag, 'Label') === tagLabels[step.tag]);
      if (!datatag) return nothing;
      return {
        edit: deleting([{ kind: 'tag', id: textField(datatag, 'ID') }]),
        send: async () => (await call('DataTag/DeleteDataTag', { datatag })) !== undefined,
      };
    }
    case 'policy':
      return policyStep(step.policy, step.content);
    default:
      return planChange(world, lists, step, { groupIds, policyAt, call, savePolicy });
  }
}

/** What {@link planStep} has found out. */
interface Found {
  groupIds: readonly string[];
  policyAt: (index: number) => JsonObject | undefined;
  call: (path: EndpointPath, body: object) => Promise<unknown>;
  savePolicy: (policy: JsonObject, groups: string[], users: string[]) => Promise<boolean>;
}

type Change = Exclude<Step, { kind: 'join' | 'leave' | 'deleteGroup' | 'tag' | 'deleteTag' | 'policy' }>;

/** Plans a change of a policy that exists, or of a user. */
async function planChange(world: AccessWorld, lists: AccessLists, step: Change, found: Found): Promise<PlannedStep> {
  const { call, savePolicy, groupIds } = found;
  if (step.kind === 'profile' || step.kind === 'ownCompany') {
    const id = world.userIds[step.user] ?? '';
    const user = lists.users.find((each) => textField(each, 'ID') === id) ?? {};
    if (step.kind === 'ownCompany') {
      const send = async () => world.setOwnCompany(step.user, step.Company);
      return { edit: (all) => all, send };
    }
    const isSame = step.Company === textField(user, 'Company');
    const SelfSetFields = step.confirms || !isSame ? [] : (user.SelfSetFields ?? []);
    const fields = { Tag1: step.Tag1, Company: step.Company, SelfSetFields };
    const send = async () =>
      isDone(await call('Contact/SaveContact', { withpin: false, user: { ...user, ...fields } }));
    return { edit: changed('user', id, fields), send };
  }
  const policy = found.policyAt(step.policy);
  if (!policy) return nothing;
  const id = textField(policy, 'id');
  const idsOf = (field: string, key: string) => {
    const list = policy[field];
    return Array.isArray(list) ? list.map((entry) => (isJsonObject(entry) ? textField(entry, key) : '')) : [];
  };
  const save = (fields: JsonObject): PlannedStep => ({
    edit: changing('policy', [id], (each) => ({ ...each, ...fields })),
    send: () => savePolicy({ ...policy, ...fields }, idsOf('Groups', 'GroupId'), idsOf('Users', 'ID')),
  });
  switch (step.kind) {
    case 'activate':
      return save({ isActive: step.isActive });
    case 'constraint': {
      const constraints = Array.isArray(policy.Constraints) ? policy.Constraints : [];
      const kept = constraints.filter((_, index) => index !== step.index % Math.max(1, constraints.length));
      return save({ Constraints: [...kept, ...(step.with ? [constraintOf(world, step.with)] : [])] });
    }
    case 'deletePolicy':
      return {
        edit: deleting([{ kind: 'policy', id }]),
        send: async () => /Deleted/.test(JSON.stringify(await call('Shield/DeletePolicy', { policy }))),
      };
    case 'assign': {
      const groupid = groupIds[step.group] ?? '';
      if (groupid === '') return nothing;
      const groups = [...new Set([...idsOf('Groups', 'GroupId'), groupid])].map((GroupId) => ({ GroupId }));
      const assigned = changing('policy', [id], (each) => ({ ...each, Groups: groups }));
      return {
        edit: step.isAssigned ? assigned : unassigning([id], [{ kind: 'group', id: groupid }]),
        send: async () =>
          (await call(step.isAssigned ? 'Shield/AddGroup' : 'Shield/RemoveGroup', { policyid: id, groupid })) ===
          'Success',
      };
    }
  }
}

function changed(kind: string, id: string, fields: JsonObject): AccessEdit {
  return changing(kind, [id], (object) => ({ ...object, ...fields }));
}

function constraintOf(world: AccessWorld, { module, ...constraint }: StepConstraint): JsonObject {
  const ModuleID = module === 'any' ? '' : (world.apps[module === 'first' ? 0 : 1]?.moduleId ?? '');
  return { ...constraint, ModuleID, TableOwner: '', ColumnType: '' };
}

function template(json: unknown): JsonObject {
  return z.record(z.string(), z.json()).parse(json);
}

function isDone(json: unknown): boolean {
  const { ErrorCode } = z.looseObject({ ErrorCode: z.union([z.string(), z.number()]).nullish() }).parse(json);
  return String(ErrorCode ?? 0) === '0';
}
