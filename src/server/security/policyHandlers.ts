import type { RequestOf } from '../../contract/endpoints.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import { problemOf, type ValueProblem, isOwnField, ownFields, type OwnField } from '../../contract/placeholders.ts';
import { policy as policySchema, type Policy } from '../../contract/resources/policy.ts';
import { CallFailure, type HandlerReply, type Handlers, type SignedInContext, adminOnly } from '../calls/handlers.ts';
import { checkRevision, extraFields, refusal, requireCollections, sentId } from '../calls/wholeObject.ts';
import { slashedTimestamp, zonedTimestamp } from '../calls/timestamps.ts';
import { groupRecords } from '../identity/groupHandlers.ts';
import { findGroup, listMemberships } from '../identity/groups.ts';
import type { ApplicationNames, UserRecords } from '../identity/userRecords.ts';
import { findUser, listUsers, type StoredUser } from '../identity/users.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { extraFieldsOf, writeExtraFields } from '../store/extraFields.ts';
import type { Store } from '../store/store.ts';
import {
  deletePolicy,
  findPolicy,
  insertPolicy,
  listPolicies,
  setPolicyOfGroup,
  updatePolicy,
  type PolicyProfile,
  type StoredPolicy,
} from './policies.ts';
import { comparedValues, policyConstraint, type PolicyConstraint, labelsOf } from './policyConstraint.ts';
import { uncertainValues, type UncertainValues } from '../identity/fieldOrigins.ts';

/** Reply for a policy that does not exist. API description, Plain-text and bare-value responses. */
const noSuchPolicy = 'Policy not found';
const policyCollections = ['Constraints', 'Groups', 'Users'] as const;

/** What the policy handlers need from other rooms. */
interface PolicyParts {
  records: UserRecords;
  applicationNames: ApplicationNames;
  /**
   * Checks the columns that constraints compare: `problem` explains why the policy would show no rows, `warnings` lists
   * what administrators should know.
   */
  checkConstraints: (
    context: SignedInContext,
    constraints: readonly PolicyConstraint[],
  ) => Promise<{ problem: string | undefined; warnings: readonly string[] }>;
}

/** Handlers of row-security policies. API description, Data security. */
export function createPolicyHandlers(parts: PolicyParts): Handlers {
  return {
    'Shield/NewPolicy': (_body, { now }) => newPolicy(now),
    'Shield/GetAllShieldPolicies': adminOnly((_body, { store }) =>
      listPolicies(store).map((policy) => compactRecord(store, policy)),
    ),
    'Shield/SaveShieldPolicy': adminOnly((body, context) => savePolicy(parts, body, context)),
    'Shield/DeletePolicy': adminOnly(({ policy }: { policy: Policy }, context) => {
      requireCollections(policy, 'The policy', policyCollections);
      const id = sentId(policy.id);
      const stored = id === null ? undefined : findPolicy(context.store, id);
      if (!stored) return noSuchPolicy;
      context.store.transaction(() => {
        deletePolicy(context.store, stored.id);
        context.audit(auditSymbols.change, `deleted policy ${stored.name}`);
      });
      return 'App Shield Policy Deleted';
    }),
    'Shield/AddGroup': adminOnly((body, context) => assign(body, context, true)),
    'Shield/RemoveGroup': adminOnly((body, context) => assign(body, context, false)),
  };
}

async function savePolicy(
  { records, applicationNames, checkConstraints }: PolicyParts,
  body: RequestOf<'Shield/SaveShieldPolicy'>,
  context: SignedInContext,
): Promise<Policy | undefined> {
  const { store, now, caller } = context;
  const { policy } = body;
  requireCollections(policy, 'The policy', policyCollections);
  const name = (policy.Name ?? '').trim();
  if (name === '') throw refusal('Name is empty.');
  // A shallow save does not change the constraints.
  const constraints = body.isDeepSave
    ? readConstraints(policy.Constraints ?? [], new Set(applicationNames(store).keys()))
    : undefined;
  const { problem, warnings } = await checkConstraints(context, constraints ?? []);
  if (problem !== undefined) throw refusal(problem);
  return store.transaction(() => {
    const stored = sentId(policy.id) === null ? undefined : requirePolicy(store, policy);
    if (stored) checkRevision(body, stored.revision, `Policy ${stored.name}`);
    for (const id of body.groups) if (!findGroup(store, id)) throw refusal(`There is no group with the id ${id}.`);
    for (const id of body.users) if (!findUser(store, id)) throw refusal(`There is no user with the id ${id}.`);
    const profile: PolicyProfile = {
      name,
      description: policy.Description ?? stored?.description ?? '',
      isActive: policy.isActive ?? stored?.isActive ?? false,
      constraints: constraints ?? stored?.constraints ?? [],
      groupIds: body.groups,
      userIds: body.users,
    };
    const id = stored ? stored.id : insertPolicy(store, { ...profile, authorId: caller.userId }, now);
    if (stored) updatePolicy(store, id, profile, caller.userId, now);
    const kept = extraFieldsOf(store, 'policy', id);
    writeExtraFields(store, 'policy', id, { ...kept, ...extraFields(policy, policySchema.shape) });
    context.audit(auditSymbols.change, `${stored ? 'saved' : 'created'} policy ${name}`);
    const saved = findPolicy(store, id);
    if (!saved) return undefined;
    const ErrorMessage = [...warnings, ...uncertainReaders(store, saved)].join('\n') || null;
    return { ...fullRecord(store, records, saved), ErrorMessage };
  });
}

/**
 * @throws {CallFailure} 9000 naming the constraint and its problem; 9001 for an application that is not in
 * `applicationIds`: such a constraint would not restrict any caller.
 */
function readConstraints(sent: readonly unknown[], applicationIds: ReadonlySet<string>): PolicyConstraint[] {
  return sent.map((constraint, index) => {
    const parsed = policyConstraint.safeParse(constraint);
    if (parsed.success) {
      const { ModuleID } = parsed.data;
      if (ModuleID !== '' && !applicationIds.has(ModuleID)) {
        throw refusal(`Constraint ${index + 1}: there is no application with the id ${ModuleID}.`);
      }
      for (const value of comparedValues(parsed.data)) checkPlaceholders(value, index + 1);
      return parsed.data;
    }
    const [issue] = parsed.error.issues;
    const field = issue?.path.join('.') || 'the constraint';
    throw new CallFailure(
      errorCodes.unexpected,
      `Constraint ${index + 1}: ${field}: ${issue?.message ?? 'malformed'}.`,
    );
  });
}

const placeholderProblems: Record<ValueProblem['problem'], string> = {
  broken: 'a placeholder in it is incomplete: enter /#label#/',
  empty: 'a placeholder in it has no label',
  unreadable: 'the label of a placeholder contains an invalid character, or is too long',
  lookalike: 'a placeholder looks like a field of the profile but is not written in plain letters',
};

/** @throws {CallFailure} 9001 for a value with which no caller sees any row. */
function checkPlaceholders(value: string, position: number): void {
  const found = problemOf(value);
  if (found) throw refusal(`Constraint ${position}: "${found.text}": ${placeholderProblems[found.problem]}.`);
}

/** Adds or removes an assignment; unknown groups are silently ignored. API description, Data security. */
function assign(
  body: { policyid: string; groupid: string },
  context: SignedInContext,
  isAssigned: boolean,
): HandlerReply {
  const { store, now, caller } = context;
  const policy = findPolicy(store, body.policyid);
  if (!policy) return noSuchPolicy;
  const group = findGroup(store, body.groupid);
  if (!group) return 'Success';
  store.transaction(() => {
    setPolicyOfGroup(store, { policyId: policy.id, groupId: group.id, isAssigned }, caller.userId, now);
    const done = isAssigned ? `assigned policy ${policy.name} to` : `took policy ${policy.name} from`;
    context.audit(auditSymbols.change, `${done} group ${group.name}`);
  });
  return 'Success';
}

function requirePolicy(store: Store, policy: Policy): StoredPolicy {
  const id = sentId(policy.id);
  const stored = id === null ? undefined : findPolicy(store, id);
  if (!stored) throw refusal(`There is no policy with the id ${id ?? '(none)'}.`);
  return stored;
}

/** A policy in its list form. API description, Shield policy. */
function compactRecord(store: Store, policy: StoredPolicy): Policy {
  return {
    ...extraFieldsOf(store, 'policy', policy.id),
    ErrorCode: '0',
    ErrorMessage: null,
    id: policy.id,
    Name: policy.name,
    Description: policy.description,
    CreatedDate: zonedTimestamp(policy.created),
    ModifiedDate: slashedTimestamp(policy.modified),
    CreatedBy: person(store, policy.createdBy),
    ModifiedBy: person(store, policy.modifiedBy),
    Constraints: [...policy.constraints],
    Groups: policy.groupIds.map((GroupId) => ({ GroupId, GroupName: findGroup(store, GroupId)?.name ?? '' })),
    Users: policy.userIds.map((userId) => person(store, userId)),
    isActive: policy.isActive,
    Revision: policy.revision,
  };
}

/** A policy in its form for the reply to a save: with complete groups and users. */
function fullRecord(store: Store, records: UserRecords, policy: StoredPolicy): Policy {
  const groups = policy.groupIds.map((id) => findGroup(store, id)).filter((group) => group !== undefined);
  return {
    ...compactRecord(store, policy),
    Groups: groupRecords(store, records, groups),
    Users: policy.userIds.map((userId) => records.one(store, userId)),
  };
}

function person(store: Store, userId: string | null) {
  const user = userId === null ? undefined : findUser(store, userId);
  return user
    ? { ID: user.id, LoginName: user.loginName, FullName: `${user.firstName} ${user.lastName}`.trim() }
    : null;
}

/** Template of a new policy. API description, Data security (NewPolicy). */
function newPolicy(now: Date): Policy {
  const moment = now.toISOString();
  return {
    ErrorCode: null,
    ErrorMessage: null,
    id: null,
    Name: `New Policy ${moment.slice(0, 19).replace(/\D/g, '')}`,
    Description: `Created ${slashedTimestamp(moment)}`,
    CreatedDate: zonedTimestamp(moment),
    ModifiedDate: slashedTimestamp(moment),
    CreatedBy: null,
    ModifiedBy: null,
    Constraints: [],
    Groups: null,
    Users: null,
    isActive: false,
  };
}

/**
 * What administrators should know about a policy that compares with user-editable profile fields: which users see no
 * rows because of it, and which may have chosen their value themselves. For a policy without assignments, all users are
 * checked.
 */
export function uncertainReaders(store: Store, policy: StoredPolicy): string[] {
  const fields = new Set(policy.constraints.flatMap(labelsOf).filter(isOwnField));
  if (fields.size === 0) return [];
  const readers = readersOf(store, policy);
  return [...fields].flatMap((field) => warningsOf(uncertainValues(readers, field)));
}

function readersOf(store: Store, { userIds, groupIds }: StoredPolicy): StoredUser[] {
  if (userIds.length === 0 && groupIds.length === 0) return listUsers(store);
  const members = listMemberships(store).filter(({ groupId }) => groupIds.includes(groupId));
  const ids = new Set([...userIds, ...members.map(({ userId }) => userId)]);
  return listUsers(store).filter(({ id }) => ids.has(id));
}

function warningsOf({ field, selfSet, unknown }: UncertainValues): string[] {
  const name = ownFields[field];
  return [
    ...some(
      field,
      selfSet,
      `set by the users themselves: it has no value in policies, and they see no row. Check it, then save each user without ${name} in SelfSetFields`,
    ),
    ...some(
      field,
      unknown,
      'set before this server recorded by whom, and counts as set by an administrator. Check it; saving a user accepts it',
    ),
  ];
}

const mostNames = 5;

function some(field: OwnField, loginNames: readonly string[], what: string): string[] {
  if (loginNames.length === 0) return [];
  const more = loginNames.length > mostNames ? ', …' : '';
  const names = `${loginNames.slice(0, mostNames).join(', ')}${more}`;
  return [
    `${ownFields[field]} of ${loginNames.length} user${loginNames.length === 1 ? '' : 's'} (${names}) was ${what}.`,
  ];
}
