import type { AnalyticsClient } from '../../client/client.ts';
import { writeOnce, type Write } from '../../client/writes/writes.ts';
import { WriteNotDone } from '../../client/writes/writeVerdict.ts';
import type { Policy } from '../../contract/resources/policy.ts';
import { entryId } from '../../objects/save/entriesWithoutId.ts';
import { fieldOf, type JsonObject } from '../../objects/json.ts';
import { policyKind } from '../../objects/kinds/securityKinds.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import { changeObject } from '../../objects/save/changeObject.ts';
import type { ConfirmWrite } from '../../objects/save/saveObject.ts';
import * as l10n from '../../l10n/l10n.ts';

/** A policy and a group, with the text for messages, for example `policy State scope to group North`. */
export interface GroupAssignment {
  policyId: string;
  groupId: string;
  words: string;
}

/**
 * Assigns a policy to a group, or unassigns it, and verifies the result: the reply is `Success` even for a group that
 * does not exist. API description, Data security (AddGroup, RemoveGroup).
 * @throws {ClientError} if the server refuses, or the change is missing when read back.
 */
export async function assignGroup(
  client: AnalyticsClient,
  assignment: GroupAssignment,
  isAssigned: boolean,
  pauses?: readonly number[],
): Promise<void> {
  const { policyId, groupId, words } = assignment;
  const path = isAssigned ? 'Shield/AddGroup' : 'Shield/RemoveGroup';
  const isDone = (policy: Policy) => hasGroup(policy, groupId) === isAssigned;
  const write: Write<typeof path, Policy> = {
    path,
    body: { policyid: policyId, groupid: groupId },
    object: words,
    kind: 'change',
    read: (signal) => readPolicies(client, policyId, signal),
    idOf: ({ id }) => String(id),
    hasContent: isDone,
  };
  await writeOnce(
    client,
    write,
    async () => {
      const [policy] = await readPolicies(client, policyId);
      if (policy && isDone(policy)) return;
      const { name: server } = client.target;
      throw new WriteNotDone(
        l10n.t('{0} reported success for {1}, but the saved policy does not have the change.', server, words),
        { server, endpoint: path, remedy: l10n.t('Refresh. The policy or group may have been deleted.') },
      );
    },
    { pauses },
  );
}

/**
 * Assigns a policy to users, or unassigns it. There is no dedicated call, so the policy is saved in the form returned
 * by its list. Users are sent with their ids only: the server knows the rest, and cleaned display names would read back
 * differently. API description, Data security (SaveShieldPolicy).
 * @throws {ClientError} like {@link changeObject}.
 */
export async function assignUsers(
  server: ObjectServer,
  policyId: string,
  userIds: readonly string[],
  isAssigned: boolean,
  confirm: ConfirmWrite,
): Promise<void> {
  const assign = (view: JsonObject) => {
    const ids = new Set(userIds);
    const users = fieldOf(view, 'Users');
    const others = (Array.isArray(users) ? users : []).filter((entry) => !ids.has(entryId(entry, 'ID') ?? ''));
    const added = isAssigned ? userIds.map((ID) => ({ ID })) : [];
    return { ...view, Users: [...others, ...added] };
  };
  await changeObject(server, policyKind, policyId, assign, confirm);
}

/**
 * Activates or deactivates a policy. API description, States (Policy).
 * @throws {ClientError} like {@link changeObject}.
 */
export async function activatePolicy(
  server: ObjectServer,
  policyId: string,
  isActive: boolean,
  confirm: ConfirmWrite,
): Promise<void> {
  await changeObject(server, policyKind, policyId, (view) => ({ ...view, isActive }), confirm);
}

async function readPolicies(client: AnalyticsClient, policyId: string, signal?: AbortSignal): Promise<Policy[]> {
  const policies = await client.call('Shield/GetAllShieldPolicies', {}, signal ? { signal } : {});
  return policies.filter(({ id }) => String(id) === policyId);
}

function hasGroup({ Groups }: Policy, groupId: string): boolean {
  return Groups?.some(({ GroupId }) => String(GroupId) === groupId) ?? false;
}
