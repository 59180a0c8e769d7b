import { expect, it } from 'vitest';
import { DisplayedInstallations } from '../../../../../src/features/sidebar/nodes/displayedInstallations.ts';
import {
  serverNode,
  type GroupNode,
  type ListNode,
  type TreeConnection,
} from '../../../../../src/editor/nodes/treeNode.ts';
import { activeState, treeConnection } from '../treeConnection.ts';

/** A connection whose server says which installation it is, if it says anything. */
function connectionTo(answer: () => string): { connection: TreeConnection; asked: () => number } {
  let count = 0;
  const call = async () => {
    count++;
    return answer();
  };
  const client = { call } as unknown as Awaited<ReturnType<TreeConnection['client']>>;
  return {
    connection: { ...treeConnection('http://127.0.0.1:1', activeState), client: async () => client },
    asked: () => count,
  };
}

function listOf(connection: TreeConnection): ListNode {
  const parent = serverNode(connection);
  const section = { kind: 'section', id: 's', connection, parent, section: 'security' } as const;
  return { kind: 'list', id: 'l', connection, parent: section, list: 'groups' };
}

it('asks once, also of places that are opened at the same time, until it is told to ask again', async () => {
  let now = 'one';
  const { connection, asked } = connectionTo(() => now);
  const shown = new DisplayedInstallations();
  const list = listOf(connection);
  expect(await Promise.all([shown.below(list), shown.below(list)])).toEqual(['one', 'one']);
  now = 'two';
  expect(await shown.below(list)).toBe('one');
  expect(asked()).toBe(1);
  shown.forget(connection);
  expect(await shown.below(list)).toBe('two');
});

it('takes what came with a place for what the place is of', async () => {
  const { connection } = connectionTo(() => 'two');
  const group: GroupNode = {
    kind: 'group',
    id: 'g',
    connection,
    installation: 'one',
    parent: listOf(connection),
    groupId: '1',
    name: 'North',
    description: '',
    members: [],
  };
  expect(await new DisplayedInstallations().below(group)).toBe('one');
});

it('is not known where the server does not tell, and is asked for again', async () => {
  let isUp = false;
  const { connection } = connectionTo(() => {
    if (!isUp) throw new Error('down');
    return 'one';
  });
  const shown = new DisplayedInstallations();
  expect(await shown.below(listOf(connection))).toBeUndefined();
  isUp = true;
  expect(await shown.below(listOf(connection))).toBe('one');
});

it('keeps rows that were read meanwhile only if the installation answers that the user signed in to', async () => {
  let now = 'one';
  const { connection } = connectionTo(() => now);
  const known = { ...connection, entry: { ...connection.entry, installationId: 'one' } };
  const shown = new DisplayedInstallations();
  let reads = 0;
  const read = async () => ++reads;
  expect(await shown.load(listOf(known), read)).toEqual({ installation: 'one', children: 1 });
  // The rows of the first read may be those of either installation.
  shown.forget(known);
  now = 'two';
  expect(await shown.load(listOf(known), read)).toEqual({ installation: 'two', children: 3 });
  expect(await shown.load(listOf(known), read)).toEqual({ installation: 'two', children: 4 });
});
