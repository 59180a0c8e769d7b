import { isClientError } from '../../../client/clientError.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { SecurityGroup } from '../../../contract/resources/securityGroup.ts';
import { idText } from '../../../contract/idText.ts';
import type { TreeConnection } from '../../../editor/nodes/treeNode.ts';

/**
 * Names of groups by id; for an account that may not read groups, of those that it is in: of others ids are shown. API
 * description, Groups (GetAllSecurityGroups), Users (GetContactById).
 */
export async function readGroupNames(connection: TreeConnection): Promise<Map<string, string>> {
  const client = await connection.client();
  let groups = await listed(client);
  const { state } = connection;
  if (groups.length === 0 && 'account' in state) {
    // Where that cannot be read either, ids have to do.
    const own = await client.call('Contact/GetContactById', { ContactId: state.account.userId }).catch(() => undefined);
    groups = own?.SecurityGroups ?? [];
  }
  return new Map(groups.map((group) => [idText(group.GroupId), displayText(group.GroupName)]));
}

type NamedGroup = Pick<SecurityGroup, 'GroupId' | 'GroupName'>;

async function listed(client: Awaited<ReturnType<TreeConnection['client']>>): Promise<readonly NamedGroup[]> {
  try {
    return await client.call('Group/GetAllSecurityGroups', {});
  } catch (error) {
    if (isClientError(error, 'noPermission') || isClientError(error, 'refused')) return [];
    throw error;
  }
}
