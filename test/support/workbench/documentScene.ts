import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { startCutProxy, type CutProxy } from '../faults/cutProxy.ts';
import { DocumentEditor } from './documentEditor.ts';
import { isRecord } from '../isRecord.ts';
import { startServer, type SignedIn, type TestServer } from '../server.ts';
import { returnWorkbench, shareWorkbench } from './sharedWorkbench.ts';
import { openWorkbench, type Theme, type Workbench, type WorkbenchOptions } from './workbench.ts';
import { addServer } from './addServer.ts';

/** A workbench signed in as admin to a server with the sample, over a wire that can be cut, and somebody else at work there. */
export interface DocumentScene {
  workbench: Workbench;
  editor: DocumentEditor;
  server: TestServer;
  proxy: CutProxy;
  /** The sample's other administrator, past the proxy. */
  colleague: Colleague;
  /** Name of the server in the sidebar. */
  host: string;
  stop(): Promise<void>;
}

/** Somebody else who administers the server. */
export class Colleague {
  readonly #account: SignedIn;

  constructor(account: SignedIn) {
    this.#account = account;
  }

  /** Calls an endpoint. @throws Error when the server refuses it. */
  async call(path: EndpointPath, body: object = {}): Promise<unknown> {
    const { json, text, status } = await this.#account.call(path, body);
    const code = isRecord(json) ? (json.ErrorCode ?? json.error_code ?? 0) : 0;
    if (status !== 200 || Number(code) !== 0) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
    return json ?? text;
  }

  /** The entry of a list whose field has a value. */
  async find(path: EndpointPath, field: string, value: string): Promise<Record<string, unknown> | undefined> {
    const list = await this.call(path);
    return Array.isArray(list) ? list.filter(isRecord).find((entry) => entry[field] === value) : undefined;
  }

  async tag(label: string): Promise<Record<string, unknown>> {
    const found = await this.find('DataTag/GetAllDataTags', 'Label', label);
    if (!found) throw new Error(`There is no data tag ${label}.`);
    return found;
  }

  /** Creates a data tag. */
  async newTag(label: string, fields: object): Promise<void> {
    const template = await this.call('DataTag/NewDataTag');
    await this.call('DataTag/SaveDataTag', { datatag: { ...(template as object), Label: label, ...fields } });
  }

  /** Creates a group. */
  async newGroup(name: string, fields: object): Promise<void> {
    const template = await this.call('Group/NewSecurityGroup');
    await this.call('Group/SaveSecurityGroup', { group: { ...(template as object), GroupName: name, ...fields } });
  }

  /** Changes fields of a data tag. */
  async changeTag(label: string, fields: object): Promise<void> {
    await this.call('DataTag/SaveDataTag', { datatag: { ...(await this.tag(label)), ...fields } });
  }

  async settings(): Promise<Record<string, unknown>> {
    const settings = await this.call('AppSettings/GetAppSettings');
    if (!isRecord(settings)) throw new Error('The settings are no object.');
    return settings;
  }

  async changeSettings(fields: object): Promise<void> {
    await this.call('AppSettings/SaveAppSettings', { appsettings: { ...(await this.settings()), ...fields } });
  }
}

/**
 * Starts everything and unfolds the server's lists.
 * @param prepare what the colleague does before the workbench reads anything.
 * @param own settings of a workbench that other files do not share.
 */
export async function openDocumentScene(
  theme: Theme,
  prepare: (colleague: Colleague) => Promise<void> = async () => undefined,
  own?: Pick<WorkbenchOptions, 'settings'>,
): Promise<DocumentScene> {
  const server = await startServer({ allowOrigin: 'none', sample: true });
  const proxy = await startCutProxy(server.url);
  const colleague = new Colleague(await server.login('sample.admin', server.adminPassword));
  await prepare(colleague);
  const size = { width: 1400, height: 1000 };
  const workbench = own ? await openWorkbench({ theme, size, ...own }) : await shareWorkbench({ theme, size });
  const host = new URL(proxy.url).host;
  await workbench.openContainer('Analytics');
  await addServer(workbench, { url: proxy.url, password: server.adminPassword });
  await workbench.treeItem('Public').first().waitFor();
  return {
    workbench,
    editor: new DocumentEditor(workbench),
    server,
    proxy,
    colleague,
    host,
    stop: async () => {
      await (own ? workbench.stop() : returnWorkbench(workbench));
      await proxy.close();
      await server.stop();
    },
  };
}
