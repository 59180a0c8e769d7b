import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { displayText } from '../../src/editor/displayText.ts';
import { itemFacts, itemNodes } from '../../src/editor/nodes/libraryNodes.ts';
import { dataTagNodes, groupNodes, policyNodes, userNodes } from '../../src/features/sidebar/nodes/securityNodes.ts';
import {
  applicationNodes,
  fieldNodes,
  registeredServerNodes,
  reportTypeNodes,
} from '../../src/features/sidebar/nodes/semanticNodes.ts';
import { treeItem, type TreeFacts } from '../../src/features/sidebar/rows/treeItem.ts';
import {
  serverNode,
  type FolderNode,
  type ListNode,
  type TreeConnection,
  type TreeNode,
} from '../../src/editor/nodes/treeNode.ts';

const facts: TreeFacts = {
  localServer: 'running',
  isUnreachable: () => false,
  scopeOf: () => undefined,
  countOf: () => undefined,
  changeOf: () => undefined,
};
const connection: TreeConnection = {
  id: 'test',
  name: 'Test',
  kind: 'remote',
  userName: 'admin',
  entry: {
    id: 'test',
    name: 'Test',
    kind: 'remote',
    apiBase: 'https://reports.example.com/api',
    installationId: '',
    userName: 'admin',
    isGuest: false,
    keepsPassword: false,
    isSignedOut: false,
  },
  state: { kind: 'signedOut' },
  client: () => Promise.reject(new Error('nobody asks')),
};
const server = serverNode(connection);
const section = { kind: 'section', id: 's', connection, parent: server, section: 'security' } as const;
const list: ListNode = { kind: 'list', id: 'l', connection, parent: section, list: 'users' };
const folder = { kind: 'folder', id: 'f', connection, folderId: '1', name: 'F' } as FolderNode;

const hostile = [
  '[click](command:workbench.action.terminal.new)',
  '$(trash) gone',
  '<img src=x onerror=alert(1)>',
  'report\u202Egpj.exe',
  'ad\u200Bmin',
  '\u001b]8;;https://evil.example\u0007link',
  'line\nbreak\u2028and more',
  '__proto__',
];

describe('how nodes look', () => {
  for (const text of hostile) {
    it(`shows ${JSON.stringify(text)} as plain text`, () => {
      for (const node of nodesNamed(text)) {
        const item = treeItem(node, facts);
        assert.ok(typeof item.label === 'string' && item.label !== '');
        // Markdown could hold command links; plain text cannot.
        assert.ok(item.tooltip === undefined || typeof item.tooltip === 'string');
        const shown = [item.label, item.description, item.tooltip, item.accessibilityInformation?.label].join('\n');
        assert.doesNotMatch(shown.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\u2028\u2029]/u);
        assert.ok(item.label.includes(displayText(text)));
      }
    });
  }

  it('keeps a number beside a name from right to left where it is', () => {
    const [group] = nodesNamed('مجلد').filter(({ kind }) => kind === 'group');
    assert.ok(group);
    const item = treeItem(group, facts);
    assert.match(String(item.description), /^\u200e\d/u);
    const [other] = nodesNamed('Group').filter(({ kind }) => kind === 'group');
    assert.ok(other);
    assert.match(String(treeItem(other, facts).description), /^\d/u);
    assert.doesNotMatch(item.accessibilityInformation?.label ?? '', /\u200e/u);
  });

  it('gives every item an id, a context and words for screen readers', () => {
    for (const node of [server, section, list, ...nodesNamed('Name')]) {
      const item = treeItem(node, facts);
      assert.equal(item.id, node.id);
      assert.ok(item.contextValue?.startsWith(node.kind));
      assert.match(item.accessibilityInformation?.label ?? '', /^[^\n]+$/);
    }
  });

  it('runs a report on a click, opens a dashboard, and opens what has no children as a document', () => {
    const clicks = new Map<string, string>([
      ['report', 'analytics.report.run'],
      ['dashboard', 'analytics.dashboard.open'],
      ...['user', 'dataTag', 'policy'].map((kind) => [kind, 'analytics.object.open'] as const),
    ]);
    for (const node of nodesNamed('Name')) assert.equal(treeItem(node, facts).command?.command, clicks.get(node.kind));
  });
});

describe('commands', () => {
  it('are all there, and ask for nothing where there is nothing to do', async () => {
    const extension = vscode.extensions.getExtension('analytics-studio.analytics-studio');
    // On a fast machine this test begins before the editor has finished starting.
    await extension?.activate();
    const known = await vscode.commands.getCommands(true);
    const manifest = extension?.packageJSON as { contributes: { commands: { command: string }[] } };
    const missing = manifest.contributes.commands.filter(({ command }) => !known.includes(command));
    assert.deepEqual(missing, []);
    await vscode.commands.executeCommand('analytics.tree.refresh');
    await vscode.commands.executeCommand('analytics.tree.retry');
  });
});

/** One node of every kind that carries text of the server. */
function nodesNamed(text: string): TreeNode[] {
  const user = { ID: '1', LoginName: text, FullName: text, Company: text, EmailAddress: text };
  return [
    ...itemNodes(folder, [itemFacts({ id: 1, ReportName: text, Description: text, ModifiedBy: text, itemtype: 2 })]),
    ...itemNodes(folder, [itemFacts({ id: 2, ReportName: text, itemtype: 0 })]),
    ...userNodes(list, [user]),
    ...groupNodes(list, [{ GroupId: '1', GroupName: text, GroupDescription: text }]),
    ...dataTagNodes(list, [{ ID: '1', Label: text, DefaultValue: text }]),
    ...policyNodes(list, [{ id: '1', Name: text, Description: text }], new Map()),
    ...semanticNodes(text),
  ];
}

/** An application named `text`, and what lies below it. */
function semanticNodes(text: string): TreeNode[] {
  const place = { kind: 'section', id: 'a', connection, parent: server, section: 'semanticLayer' } as const;
  const database = { ID: '1', DisplayName: text, DatabaseServer: text, DatabasePlatform: text };
  const product = { ID: '1', Name: text, ModuleType: 'ANYDB' };
  const applications = applicationNodes(place, [{ product, RegisteredServers: [database] }]);
  const databases = applications.flatMap((node) => registeredServerNodes(node));
  const types = databases.flatMap((node) => reportTypeNodes(node, [{ reporttypeid: 1, name: text }]));
  const fields = types.flatMap((node) => fieldNodes(node, [{ id: 1, text, type: 'Field', dbfieldname: text }]));
  return [...applications, ...databases, ...types, ...fields];
}
