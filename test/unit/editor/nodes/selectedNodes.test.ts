import { describe, expect, it } from 'vitest';
import { distinctBy, deepestFirst, objectKey } from '../../../../src/editor/nodes/selectedNodes.ts';
import { folderNodes, itemFacts, itemNodes, libraryRoots } from '../../../../src/editor/nodes/libraryNodes.ts';
import { groupNodes, memberNodes, userNodes } from '../../../../src/features/sidebar/nodes/securityNodes.ts';
import {
  serverNode,
  type ListName,
  type ListNode,
  type SectionName,
  type SectionNode,
} from '../../../../src/editor/nodes/treeNode.ts';
import { treeConnection } from '../../features/sidebar/treeConnection.ts';

const server = serverNode(treeConnection('http://127.0.0.1:9'));
const { connection } = server;
const section = (name: SectionName): SectionNode => {
  return { kind: 'section', id: `test/${name}`, connection, parent: server, section: name };
};
const list = (name: ListName): ListNode => {
  return { kind: 'list', id: `test/${name}`, connection, parent: section('security'), list: name };
};

describe('rows that are selected together', () => {
  const inner = { id: 12, text: 'Inner', children: [] };
  const tree = [{ rootnode: { id: 1, libtype: 1, children: [{ id: 11, text: 'Outer', children: [inner] }] } }];
  const [publicLibrary, favourites] = libraryRoots(section('library'), tree);
  if (!publicLibrary || !favourites) throw new Error('There are no libraries.');
  const [outerFolder] = folderNodes(publicLibrary);
  const [innerFolder] = outerFolder ? folderNodes(outerFolder) : [];
  if (!outerFolder || !innerFolder) throw new Error('There are no folders.');
  const items = [5, 11].map((id) => itemFacts({ id, ReportName: `Report ${id}`, itemtype: 1 }));

  it('stand for one report where it is among the favourites too', () => {
    const inFolder = itemNodes(innerFolder, items);
    const all = [...inFolder, ...itemNodes(favourites, items), outerFolder];
    expect(distinctBy(all, objectKey)).toEqual([...inFolder, outerFolder]);
  });

  it('stand for one user wherever it is a member', () => {
    const users = [{ ID: '7', LoginName: 'ada' }];
    const groups = groupNodes(list('groups'), [
      { GroupId: '1', GroupName: 'North', Membership: users },
      { GroupId: '7', GroupName: 'South', Membership: users },
    ]);
    const rows = [...groups.flatMap((group) => memberNodes(group)), ...userNodes(list('users'), users)];
    expect(distinctBy(rows, objectKey)).toEqual(rows.slice(0, 1));
    expect(distinctBy([...rows, ...groups], objectKey)).toHaveLength(3);
  });

  it('come with what is in a folder before the folder', () => {
    const [report] = itemNodes(favourites, items);
    const target = { connectionId: 'test', kind: 'tag', id: '1', name: 'state' };
    expect(deepestFirst([outerFolder, innerFolder, report, target])).toEqual([
      report,
      target,
      innerFolder,
      outerFolder,
    ]);
  });
});
