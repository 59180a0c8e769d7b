import { describe, expect, it } from 'vitest';
import { TreeFilter } from '../../../../src/features/sidebar/treeFilter.ts';
import type {
  FolderNode,
  ItemNode,
  LibraryRootNode,
  TreeConnection,
  TreeNode,
} from '../../../../src/editor/nodes/treeNode.ts';
import { figure } from '../../../support/run/figure.ts';
import { treeConnection } from './treeConnection.ts';

const connection: TreeConnection = treeConnection('http://127.0.0.1:9');
const root = { kind: 'libraryRoot', id: 'root', connection, library: 'public', folderId: '1' } as LibraryRootNode;

function folder(id: number, folders: FolderNode['folders'] = []): FolderNode {
  const facts = { isPersonal: false, isReadOnly: false, mayDelete: true, mayScope: true, folders };
  return {
    kind: 'folder',
    id: `f${id}`,
    connection,
    parent: root,
    folderId: String(id),
    name: `Folder ${id}`,
    ...facts,
  };
}

function report(parent: FolderNode, id: number): ItemNode {
  const item = { itemId: String(id), name: `Report ${id}` } as ItemNode['item'];
  return { kind: 'report', id: `${parent.id}/${id}`, connection, parent, item };
}

describe('the filter of the sidebar', () => {
  it('keeps names with the text, whatever holds them, and folders that were not opened by what is known of them', () => {
    const opened = folder(1);
    const closed = folder(2, [{ id: 21, text: 'Report archive' }]);
    const other = folder(3);
    const loaded = new Map<string, TreeNode[]>([['f1', [report(opened, 7), report(opened, 8)]]]);
    const filter = new TreeFilter(({ id }) => loaded.get(id));
    expect(filter.apply([opened, closed, other])).toHaveLength(3);
    filter.text = ' REPORT ';
    expect(filter.apply([opened, closed, other])).toEqual([opened, closed]);
    filter.text = 'report 8';
    expect(filter.apply([opened, closed, other])).toEqual([opened]);
    expect(filter.apply(loaded.get('f1') ?? []).map(({ id }) => id)).toEqual(['f1/8']);
    loaded.set('f3', [report(other, 88)]);
    filter.forget();
    expect(filter.apply([opened, closed, other])).toEqual([opened, other]);
    filter.text = '';
    expect(filter.apply([opened, closed, other])).toHaveLength(3);
  });

  it('keeps what says why a place is empty, and finds nodes that are no documents by their names', () => {
    const nodes = [
      { kind: 'notice', id: 'signIn', connection, parent: root, reason: 'expired', detail: '' },
      { kind: 'fieldFolder', id: 'airport', connection, parent: root, name: 'Airport' },
      { kind: 'fieldFolder', id: 'carrier', connection, parent: root, name: 'Carrier' },
    ] as unknown as TreeNode[];
    const filter = new TreeFilter(() => undefined);
    filter.text = 'airport';
    expect(filter.apply(nodes).map(({ id }) => id)).toEqual(['signIn', 'airport']);
  });

  it('finds users by their login names and their full names', () => {
    const users = [
      ['ada', 'Ada King'],
      ['king', 'Bob'],
      ['eve', 'Eve'],
    ].map(([loginName, fullName]) => {
      return { kind: 'user', id: loginName, connection, parent: undefined, user: { loginName, fullName } };
    }) as unknown as TreeNode[];
    const filter = new TreeFilter(() => undefined);
    filter.text = 'king';
    expect(filter.apply(users).map(({ id }) => id)).toEqual(['ada', 'king']);
  });

  it('finds one of 10,000 reports in 500 folders', () => {
    const folders = Array.from({ length: 500 }, (_, index) => folder(index));
    const loaded = new Map<string, TreeNode[]>(
      folders.map((parent, place) => [
        parent.id,
        Array.from({ length: 20 }, (_, index) => report(parent, place * 20 + index)),
      ]),
    );
    const filter = new TreeFilter(({ id }) => loaded.get(id));
    const started = performance.now();
    filter.text = 'report 9999';
    const shown = filter.apply(folders);
    const found = shown.flatMap(({ id }) => filter.apply(loaded.get(id) ?? []));
    const ms = performance.now() - started;
    expect(found).toHaveLength(1);
    figure('tree filter', `10,000 reports in 500 folders: ${ms.toFixed(1)} ms`);
  });
});
