import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, parseExact, type Json, type JsonObject } from '../../../src/objects/json.ts';
import { fromRelease, missingEndpoints, toRelease } from './otherRelease.ts';

/** A proxy that compares every write of a whole object with what was read of the object. */
export interface WatchedServer {
  readonly apiBase: string;
  /** Every write since the start: its endpoint, and the fields that differ from what was read. */
  readonly writes: string[];
  /** Endpoints that were asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Where requests carry a whole object, and what identifies it. */
const wholes: Readonly<Record<string, readonly [field: string, id: string]>> = {
  'Contact/SaveContact': ['user', 'ID'],
  'Contact/SaveMYContact': ['user', 'ID'],
  'Contact/DeleteContact': ['user', 'ID'],
  'Contact/UnlockContact': ['user', 'ID'],
  'Group/SaveSecurityGroup': ['group', 'GroupId'],
  'Group/DeleteSecurityGroup': ['group', 'GroupId'],
  'DataTag/SaveDataTag': ['datatag', 'ID'],
  'DataTag/DeleteDataTag': ['datatag', 'ID'],
  'Shield/SaveShieldPolicy': ['policy', 'id'],
  'Shield/DeletePolicy': ['policy', 'id'],
  'library/SaveLibraryFolder': ['libraryfolder', 'id'],
  'Report/SaveReport': ['report', 'ReportID'],
  'Report/UpdateReport': ['report', 'ReportID'],
  'AppSettings/SaveAppSettings': ['appsettings', ''],
};

/** Replies that show whole objects, and the field of the requests above that they show. */
const reads: Readonly<Record<string, string>> = {
  ...{ 'Contact/GetContactList': 'user', 'Contact/GetContactById': 'user', 'Contact/NewContact': 'user' },
  ...{
    'Group/GetAllSecurityGroups': 'group',
    'Group/GetSecurityGroupById': 'group',
    'Group/NewSecurityGroup': 'group',
  },
  ...{ 'DataTag/GetAllDataTags': 'datatag', 'DataTag/NewDataTag': 'datatag' },
  ...{ 'Shield/GetAllShieldPolicies': 'policy', 'Shield/NewPolicy': 'policy' },
  ...{ 'library/GetFolderById': 'libraryfolder', 'library/NewLibraryFolder': 'libraryfolder' },
  ...{ 'Report/GetReport': 'report', 'AppSettings/GetAppSettings': 'appsettings' },
};
const assigning = /^(?:Group|Shield)\/(?:AddUser|RemoveUser|AddGroup|RemoveGroup)$|^library\/(?:Del|Fav|UnFav)/;

/** @param isOther whether it speaks as another release. */
export async function watchServer(target: string, isOther: boolean): Promise<WatchedServer> {
  const seen = new Map<string, Map<string, JsonObject>>();
  const writes: string[] = [];
  const asked: string[] = [];

  const note = (endpoint: string, reply: Json) => {
    const field = reads[endpoint];
    if (field === undefined) return;
    for (const object of Array.isArray(reply) ? reply : [reply]) {
      if (!isJsonObject(object)) continue;
      const key = keyOf(field, object);
      // A list and a single object may differ in form. A template holds its moment: a save reads a later one than the document.
      const form = key.endsWith(' ') ? `${endpoint} ${textOf(object)}` : endpoint;
      seen.set(key, new Map([...(seen.get(key) ?? []), [form, object]]));
    }
  };
  const compare = (endpoint: string, body: Json) => {
    const [field, id] = wholes[endpoint] ?? [];
    const sent = field !== undefined && isJsonObject(body) ? body[field] : undefined;
    if (assigning.test(endpoint)) writes.push(endpoint);
    if (field === undefined || id === undefined || !isJsonObject(sent)) return;
    const known = [...(seen.get(keyOf(field, sent))?.values() ?? [])];
    const changes = known.map((read) => changesOf(read, sent)).sort((one, other) => one.length - other.length)[0];
    writes.push(`${endpoint}: ${(changes ?? ['never read']).join(' ')}`.trim());
  };

  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch((error: unknown) => response.destroy(error as Error));
  });
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const endpoint = (incoming.url ?? '').replace(/^\/api\//, '');
    asked.push(endpoint);
    if (isOther && missingEndpoints.includes(endpoint)) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
      return;
    }
    const text = Buffer.concat(chunks).toString('utf8');
    const body = text === '' ? {} : parseExact(text);
    compare(endpoint, body);
    const forwarded = isOther ? fromRelease(endpoint, body) : body;
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${target}/${endpoint}`, { method: 'POST', headers, body: JSON.stringify(forwarded) });
    const type = reply.headers.get('content-type') ?? 'text/plain';
    let written = await reply.text();
    if (/json/.test(type) && /^[[{]/.test(written)) {
      const value = isOther ? toRelease(endpoint, parseExact(written)) : parseExact(written);
      note(endpoint, value);
      written = JSON.stringify(value);
    }
    response.writeHead(reply.status, { 'content-type': type }).end(reply.status === 204 ? undefined : written);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    apiBase: `http://127.0.0.1:${port}/api`,
    writes,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function keyOf(field: string, object: JsonObject): string {
  const id = Object.values(wholes).find(([name]) => name === field)?.[1] ?? '';
  const value = object[id];
  const isNew = value === undefined || value === null || value === '' || value === 0;
  return `${field} ${isNew ? '' : JSON.stringify(value).replaceAll('"', '')}`;
}

/** Fields that differ; of lists, whether entries came, went or, by both, changed. */
function changesOf(read: JsonObject, sent: JsonObject): string[] {
  const names = [...new Set([...Object.keys(read), ...Object.keys(sent)])].sort();
  return names.flatMap((name) => {
    const [before, now] = [read[name], sent[name]];
    if (textOf(before) === textOf(now)) return [];
    if (!Array.isArray(before) || !Array.isArray(now)) return [name];
    const [had, has] = [before.map(textOf), now.map(textOf)];
    return [
      ...(has.some((entry) => !had.includes(entry)) ? [`${name}+`] : []),
      ...(had.some((entry) => !has.includes(entry)) ? [`${name}-`] : []),
      ...(has.every((entry) => had.includes(entry)) && had.every((entry) => has.includes(entry)) ? [`${name}~`] : []),
    ];
  });
}

/** Text of a value, in which the order of fields does not count. */
function textOf(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${name}:${textOf(field)}`).join()}}`;
}
