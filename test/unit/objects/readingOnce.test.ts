import { expect, it } from 'vitest';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { readingOnce, type ObjectServer } from '../../../src/objects/objectServer.ts';

it('asks for the same once, also while it is under way, and writes each time', async () => {
  const asked: EndpointPath[] = [];
  const server: ObjectServer = {
    name: 'Shop',
    installation: async () => 'one',
    call: async (path) => asked.push(path),
  };
  const reading = readingOnce(server);
  const [one, other] = await Promise.all([
    reading.call('Contact/GetContactById', { ContactId: '1' }),
    reading.call('Contact/GetContactById', { ContactId: '1' }),
  ]);
  expect(other).toBe(one);
  await reading.call('Contact/GetContactById', { ContactId: '2' });
  await reading.call('Shield/AddGroup', { policyid: '1', groupid: '2' });
  await reading.call('Shield/AddGroup', { policyid: '1', groupid: '2' });
  expect(asked).toEqual(['Contact/GetContactById', 'Contact/GetContactById', 'Shield/AddGroup', 'Shield/AddGroup']);
});
