import { isJsonObject, parseExact, type Json, type JsonObject } from '../../../src/objects/json.ts';
import type { ObjectServer } from '../../../src/objects/objectServer.ts';

/** A server in memory that lists what decides about rows, and saves policies. */
export class AccessStub implements ObjectServer {
  readonly name = 'Shop';
  readonly accountId = () => '9';
  users: JsonObject[] = [];
  tags: JsonObject[] = [];
  policies: JsonObject[] = [];
  groups: JsonObject[] = [];
  settings: JsonObject = {};
  /** Folders in the Public Library. */
  folders: JsonObject[] = [];
  /** Endpoints that were called, in order. */
  readonly calls: string[] = [];

  async installation(): Promise<string> {
    return 'one';
  }

  async call(path: string, body: object): Promise<Json> {
    this.calls.push(path);
    switch (path) {
      case 'Shield/GetAllShieldPolicies':
        return this.policies;
      case 'Contact/GetContactList':
        return this.users;
      case 'DataTag/GetAllDataTags':
        return this.tags;
      case 'Group/GetAllSecurityGroups':
        return this.groups;
      case 'AppSettings/GetAppSettings':
        return this.settings;
      case 'library/GetAllLibraryTree':
        return [{ rootnode: { id: '90', text: 'Public', children: this.folders.map(({ id = '' }) => ({ id })) } }];
      case 'library/GetFolderById':
        return this.folders.find(({ id }) => id === Object.values(body)[0]) ?? { id: '90', fname: 'Public' };
      case 'Shield/SaveShieldPolicy':
        return this.#save(parseExact(JSON.stringify(body)));
      default:
        throw new Error(`Unexpected call of ${path}`);
    }
  }

  #save(sent: Json): Json {
    const policy = isJsonObject(sent) ? sent.policy : undefined;
    if (!isJsonObject(policy)) throw new Error('The save carries no policy.');
    this.policies = this.policies.map((other) => (other.id === policy.id ? policy : other));
    return policy;
  }
}
