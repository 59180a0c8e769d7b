import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AnalyticsClient } from '../../../../src/client/client.ts';
import { deleteObject } from '../../../../src/objects/save/deleteObject.ts';
import { editableView } from '../../../../src/objects/merge/editableView.ts';
import { dataTagKind } from '../../../../src/objects/kinds/securityKinds.ts';
import { objectServer } from '../../../../src/objects/objectServer.ts';
import { saveObject } from '../../../../src/objects/save/saveObject.ts';
import { figure } from '../../../support/run/figure.ts';
import { testClient } from '../../../support/testClient.ts';

/*
 * Integers that a JavaScript number would round, from the server's text through an edit and back to it: compared as text,
 * so that no parser has a say.
 */

const large =
  '"Big":9007199254740993,"Deep":{"List":[18446744073709551615,-9223372036854775809,0.1,1e3]},"Id":12345678901234567890';
const plain = '"SecurityGroups":[],"Contacts":[]';
let tag = `{"ID":9007199254740995,"Label":"region","DefaultValue":"West",${plain},${large}}`;
const sent: { path: string; text: string }[] = [];
let server: Server;
let client: AnalyticsClient;

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const path = (request.url ?? '').replace('/api/', '');
      sent.push({ path, text });
      response.writeHead(200, { 'content-type': 'application/json' });
      if (path === 'login/DoLogin') {
        response.end('{"ErrorCode":0,"LoginSession":{"SessionToken":"t"},"LoginUser":{"LoginName":"ada"}}');
      } else if (path === 'DataTag/SaveDataTag') {
        tag = /"datatag":(?<tag>\{.*\}),"sessionToken"/.exec(text)?.groups?.tag ?? '';
        response.end(`{"ErrorCode":0,${tag.slice(1)}`);
      } else if (path === 'DataTag/GetAllDataTags') response.end(`[${tag}]`);
      else {
        if (path === 'DataTag/DeleteDataTag') tag = '';
        response.end('{"ErrorCode":0,"Status":"0"}');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = testClient(`http://127.0.0.1:${port}/api`, { userName: 'ada', password: 'p' });
});
afterAll(async () => {
  await client.close();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
});

it('go through a save and a deletion digit by digit', async () => {
  const objects = objectServer(client);
  const before = tag;
  const id = '9007199254740995';
  const base = editableView(await dataTagKind.read(objects, id), dataTagKind.shape);
  const outcome = await saveObject(objects, {
    kind: dataTagKind,
    id,
    base,
    mine: { ...base, DefaultValue: 'East' },
    askSecret: async () => undefined,
  });
  expect(outcome.kind).toBe('saved');
  expect(tag).toBe(before.replace('West', 'East'));
  await deleteObject(objects, dataTagKind, id);
  const deletion = sent.find(({ path }) => path === 'DataTag/DeleteDataTag')?.text ?? '';
  expect(deletion).toContain(large);
  expect(deletion).toContain(`"ID":${id}`);
  figure('R8', 'an object with 5 integers beyond 2^53 read, changed, saved and deleted: 0 digits differ on the wire');
});
