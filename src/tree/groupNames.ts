import { isClientError } from '../client/clientError.ts';
import { displayText } from '../connections/displayText.ts';
import { idText } from '../contract/idText.ts';
import type { TreeConnection } from './treeNode.ts';

/** Names of groups by id; none for an account that may not read groups: then ids are shown. */
export async function readGroupNames(
  client: Pick<Awaited<ReturnType<TreeConnection['client']>>, 'call'>,
): Promise<Map<string, string>> {
  try {
    const groups = await client.call('Group/GetAllSecurityGroups', {});
    return new Map(groups.map((group) => [idText(group.GroupId), displayText(group.GroupName)]));
  } catch (error) {
    if (isClientError(error, 'noPermission') || isClientError(error, 'refused')) return new Map();
    throw error;
  }
}
