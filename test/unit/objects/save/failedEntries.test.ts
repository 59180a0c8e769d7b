import { describe, expect, it } from 'vitest';
import type { EndpointPath } from '../../../../src/contract/endpoints.ts';
import { idsNamed } from '../../../../src/objects/save/pendingCreate.ts';
import { parseExact, type Json } from '../../../../src/objects/json.ts';
import { objectKinds } from '../../../../src/objects/kinds/kinds.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';

/** Kinds that are listed by their entries, and the fields of an entry's own failure. */
const lists: [kind: string, path: EndpointPath, id: string, name: string, code: string, message: string][] = [
  ['user', 'Contact/GetContactList', 'ID', 'LoginName', 'ErrorCode', 'ErrorMessage'],
  ['group', 'Group/GetAllSecurityGroups', 'GroupId', 'GroupName', 'ErrorCode', 'ErrorMessage'],
  ['tag', 'DataTag/GetAllDataTags', 'ID', 'Label', 'ErrorCode', 'ErrorMessage'],
  ['policy', 'Shield/GetAllShieldPolicies', 'id', 'Name', 'ErrorCode', 'ErrorMessage'],
  ['server', 'RegServers/GetAdminRegisteredServers', 'ID', 'DisplayName', 'ErrorCode', 'ErrorMessage'],
  ['report', 'library/SearchReports', 'id', 'ReportName', 'error_code', 'error_message'],
];

function answering(path: EndpointPath, entries: readonly object[]): ObjectServer {
  return {
    name: 'Test Server',
    installation: async () => 'one',
    call: async (asked): Promise<Json> => {
      if (asked !== path) throw new Error(`asked for ${asked}`);
      return parseExact(JSON.stringify(entries));
    },
  };
}

describe.each(lists)('a list of the kind %s', (name, path, id, nameField, code, message) => {
  const kind = objectKinds.find((each) => each.name === name);
  if (!kind?.list) throw new Error(`${name} is no kind that is listed.`);
  const good = { [id]: '7', [nameField]: 'West', [code]: 0 };
  const failure = { [code]: 9001, [message]: 'values unavailable' };

  it('keeps the place of an entry that could not be read, and its name is not known', async () => {
    const server = answering(path, [good, { ...failure, [id]: '8', [nameField]: 'East' }]);
    const [west, unreadable] = (await kind.list?.(server)) ?? [];
    expect(west).toMatchObject({ id: '7', name: 'West' });
    expect(west).not.toHaveProperty('isUnreadable');
    expect(unreadable).toMatchObject({ id: '8', name: '8', isUnreadable: true });
    // A create that is looked for may be that one.
    expect(await idsNamed(server, kind, 'West', undefined)).toEqual(['7', '8']);
    expect(await idsNamed(server, kind, 'North', undefined)).toEqual(['8']);
  });

  it('is not believed when such an entry says not even which it is', async () => {
    const server = answering(path, [good, failure]);
    await expect(kind.list?.(server)).rejects.toMatchObject({
      kind: 'refused',
      code: 9001,
      message: expect.stringContaining('values unavailable') as string,
    });
  });
});
