import { fieldOf, identifierText, type JsonObject } from '../objects/json.ts';
import { textField } from '../objects/kinds/objectEntry.ts';
import { callForList, type ObjectServer } from '../objects/objectServer.ts';
import { objectsIn } from '../objects/objectParts.ts';
import { usesPlaceholder } from '../objects/placeholders.ts';

/** Every policy in the server's list. API description, Data security. @throws {ClientError} */
export function policiesOf(server: ObjectServer): Promise<JsonObject[]> {
  return callForList(server, 'Shield/GetAllShieldPolicies', {});
}

/** The policies whose constraints compare with a data tag of this label. @throws {ClientError} */
export async function policiesComparingWith(server: ObjectServer, label: string): Promise<JsonObject[]> {
  return (await policiesOf(server)).filter((policy) => usesPlaceholder(fieldOf(policy, 'Constraints'), label));
}

/** A group or user that a policy is assigned to. */
export interface PolicyAssignee {
  readonly kind: 'group' | 'user';
  readonly id: string;
  readonly name: string;
}

/**
 * Groups and users restricted by active policies, by policy id; inactive and deleted policies are omitted. Only reads.
 * @throws {ClientError} when the policies cannot be read.
 */
export async function restrictedBy(
  server: ObjectServer,
  policyIds: readonly string[],
): Promise<Map<string, PolicyAssignee[]>> {
  const found = new Map<string, PolicyAssignee[]>();
  for (const policy of await policiesOf(server)) {
    const id = identifierText(fieldOf(policy, 'id'));
    if (id === undefined || !policyIds.includes(id) || fieldOf(policy, 'isActive') !== true) continue;
    found.set(id, assigneesOf(policy));
  }
  return found;
}

/** The groups and users that a policy is assigned to. */
export function assigneesOf(policy: JsonObject): PolicyAssignee[] {
  const named = (kind: PolicyAssignee['kind'], entry: JsonObject, idField: string, nameField: string) => {
    const id = identifierText(fieldOf(entry, idField)) ?? '';
    return { kind, id, name: textField(entry, nameField) || `#${id}` };
  };
  return [
    ...objectsIn(policy, 'Groups').map((group) => named('group', group, 'GroupId', 'GroupName')),
    ...objectsIn(policy, 'Users').map((user) => named('user', user, 'ID', 'LoginName')),
  ];
}
