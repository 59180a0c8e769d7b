import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandIds } from '../../../src/editor/commands/commandIds.ts';
import { capabilities } from '../../../src/editor/nodes/capabilities.ts';
import type { FolderNode, ItemNode, TreeNode } from '../../../src/editor/nodes/treeNode.ts';
import { activeState, treeConnection } from './sidebar/treeConnection.ts';

const root = path.join(import.meta.dirname, '../../..');

interface MenuEntry {
  command: string;
  when?: string;
  group?: string;
}
interface Manifest {
  icon: string;
  contributes: {
    commands: { command: string; title: string; category: string }[];
    keybindings: { command: string; key: string; mac?: string; when: string }[];
    menus: Record<string, MenuEntry[]>;
    walkthroughs: { steps: { id: string; media: { image: Record<string, string>; altText: string } }[] }[];
    configuration: { properties: Record<string, { scope: string }> };
    viewsContainers: { activitybar: { icon: string }[] };
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}

const text = readFileSync(path.join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const words = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const { contributes } = manifest;
const menuEntries = Object.values(contributes.menus).flat();

describe('the manifest', () => {
  it('lists exactly the commands that are registered', () => {
    expect(contributes.commands.map(({ command }) => command)).toEqual([...commandIds]);
  });

  it('has a word for every key, and no key without use', () => {
    const used = [...text.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1] ?? '');
    expect(used.filter((key) => words[key] === undefined)).toEqual([]);
    expect(Object.keys(words).filter((key) => !used.includes(key))).toEqual([]);
  });

  it('shows titles in one category, with an ellipsis where input follows', () => {
    expect(new Set(contributes.commands.map(({ category }) => category))).toEqual(new Set(['%category%']));
    const title = (id: string) => words[`command.${id}`] ?? '';
    for (const id of ['server.add', 'server.signIn', 'server.rename', 'server.remove', 'report.open']) {
      expect(title(id)).toMatch(/…$/);
    }
  });

  it('says in each title what it is about: the palette lists them without the object', () => {
    const titles = contributes.commands.map(({ title }) => words[title.slice(1, -1)] ?? title);
    const shownInMenusOnly = ['Refresh', 'Retry'];
    expect(titles.filter((title) => !title.includes(' ') && !shownInMenusOnly.includes(title))).toEqual([]);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it('has menus for its own commands only, in the groups that people know', () => {
    for (const { command } of menuEntries) expect(commandIds).toContain(command);
    const groups = new Set(menuEntries.map(({ group }) => group?.split('@')[0]).filter((group) => group !== undefined));
    expect([...groups].sort()).toEqual(['1_open', '2_edit', '3_copy', '8_log', '9_danger', 'inline', 'navigation']);
  });

  it('shows pictures that exist, each with words for who cannot see it', () => {
    const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    expect(steps).toHaveLength(5);
    const pictures = steps.flatMap(({ media }) => Object.values(media.image));
    const all = [manifest.icon, ...contributes.viewsContainers.activitybar.map(({ icon }) => icon), ...pictures];
    expect(all.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(steps.every(({ media }) => media.altText !== '')).toBe(true);
  });

  it('leaves Enter, by which rows open and unfold, to the editor, and takes keys in the sidebar alone', () => {
    const keys = contributes.keybindings.flatMap(({ key, mac }) => [key, mac ?? key]);
    expect(keys.filter((key) => /\b(?:enter|space)\b/.test(key))).toEqual([]);
    const inOneView = /^focusedView == analytics\.(servers|changes|runs) && !inputFocus$/;
    expect(contributes.keybindings.filter(({ when }) => !inOneView.test(when))).toEqual([]);
  });

  it('lets no workspace change its settings', () => {
    const { properties } = contributes.configuration;
    expect(Object.values(properties).every(({ scope }) => scope === 'machine')).toBe(true);
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(Object.keys(properties));
  });
});

describe('capabilities', () => {
  const connection = treeConnection('http://127.0.0.1:9');
  const server = { kind: 'server', id: 'test', connection, parent: undefined } as const;
  const parent = { kind: 'folder', folderId: '1', name: 'F' } as FolderNode;
  const item = { itemId: '7', name: 'Delays', isFavourite: false } as ItemNode['item'];

  /** Commands that the context menu offers on a node. */
  function offered(node: TreeNode): string[] {
    const value = capabilities(node);
    return (contributes.menus['view/item/context'] ?? [])
      .filter(({ when, group }) => {
        const pattern = /viewItem =~ \/(.*)\/(?: && !listMultiSelection)?$/.exec(when ?? '')?.[1];
        return (
          group !== undefined && !group.startsWith('inline') && pattern !== undefined && new RegExp(pattern).test(value)
        );
      })
      .map(({ command }) => command.replace('analytics.', ''));
  }

  it('decide what the menu of a report offers', () => {
    const report: ItemNode = { kind: 'report', id: 'r', connection, parent, item };
    expect(offered(report)).toEqual([
      'report.run',
      'report.showSql',
      'report.build',
      'object.open',
      'report.clone',
      'item.addFavourite',
      'item.copyName',
      'item.copyId',
      'browser.open',
    ]);
    const starred: ItemNode = { ...report, item: { ...item, isFavourite: true } };
    expect(offered(starred)).toContain('item.removeFavourite');
    expect(offered(starred)).not.toContain('item.addFavourite');
    expect(offered({ ...report, kind: 'dashboard' })).not.toContain('report.run');
  });

  it('name the kind of a row where it is cloned, renamed or deleted, and not where several are selected', () => {
    const titles = (node: TreeNode) =>
      offered(node)
        .filter((id) => /\.(clone|rename|delete)$/.test(id))
        .map((id) => words[`command.${id}`]);
    const policy = { kind: 'policy', id: 'p', connection, parent: server, groupIds: [], userCount: 0 } as const;
    expect(titles({ ...policy, isActive: true } as unknown as TreeNode)).toEqual([
      'Rename Policy…',
      'Clone Policy',
      'Delete Policy…',
    ]);
    const own = { ...item, mayModify: true, mayDelete: true };
    const report = { kind: 'report', id: 'r', connection, parent, item: own } as ItemNode;
    expect(titles(report)).toEqual(['Rename Report…', 'Clone Report', 'Delete Report…']);
    const ofSeveral = (contributes.menus['view/item/context'] ?? []).filter(({ when }) =>
      / listMulti/.test(when ?? ''),
    );
    expect(ofSeveral.map(({ command }) => command)).toEqual(['analytics.object.delete']);
  });

  it('offer signing in or out, whichever is possible', () => {
    expect(offered(server)).toEqual([
      'server.signOut',
      'server.addAccount',
      'tree.refreshRow',
      'server.rename',
      'server.remove',
      'profile.edit',
      'profile.changePassword',
      'session.reloadPermissions',
      'session.extend',
      'browser.open',
    ]);
    const expired = treeConnection('http://127.0.0.1:9', { kind: 'expired', account: activeState.account });
    expect(offered({ ...server, connection: expired })).toContain('server.signIn');
    const local = offered({ ...server, connection: { ...connection, kind: 'local' } });
    expect(local).toContain('server.stopLocal');
  });

  it('offer a retry where something failed', () => {
    const failure: TreeNode = {
      kind: 'failure',
      id: 'f',
      connection,
      parent: server,
      message: '',
      remedy: '',
      isUnreachable: false,
    };
    expect(offered(failure)).toEqual(['tree.retry']);
  });
});
