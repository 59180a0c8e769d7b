import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientError } from '../../../../src/client/clientError.ts';
import { activeState } from './treeConnection.ts';
import { ScriptedConnection, ShownTree } from './shownTree.ts';

const list = 'Group/GetAllSecurityGroups';
const groupsOf = (name: string) => [name, 'Security', 'Groups'] as const;
const unreachable = new ClientError('unreachable', 'Shop cannot be reached.', { server: 'Shop' });

/** Ids of which one starts with the other, and the same objects on both. */
let shop: ScriptedConnection;
let bank: ScriptedConnection;
let shown: ShownTree;

beforeEach(() => {
  shop = new ScriptedConnection('1', 'Shop');
  bank = new ScriptedConnection('12', 'Bank');
  shop.groups = { 7: 'North', 8: 'South' };
  bank.groups = { 7: 'Tellers', 8: 'Vault' };
  shown = new ShownTree(shop, bank);
});

afterEach(() => shown.dispose());

describe('two servers with objects of the same ids', () => {
  it('show their own, under ids of their own', async () => {
    expect(await shown.labels(...groupsOf('Shop'))).toEqual(['North', 'South']);
    expect(await shown.labels(...groupsOf('Bank'))).toEqual(['Tellers', 'Vault']);
    const rows = [...(await shown.rows(...groupsOf('Shop'))), ...(await shown.rows(...groupsOf('Bank')))];
    expect(new Set(rows.map(({ id }) => id)).size).toBe(4);
    expect(rows.map(({ connection }) => connection.name)).toEqual(['Shop', 'Shop', 'Bank', 'Bank']);
  });

  it('are reloaded one at a time', async () => {
    for (const name of ['Shop', 'Bank']) await shown.rows(...groupsOf(name));
    bank.groups = { 7: 'Clerks', 8: 'Vault' };
    await shown.tree.refreshObjects(shop, 'group');
    expect([shop.count(list), bank.count(list)]).toEqual([2, 1]);
    expect(await shown.labels(...groupsOf('Bank'))).toEqual(['Tellers', 'Vault']);
    await shown.tree.refresh(await shown.row('Bank'));
    expect([shop.count(list), bank.count(list)]).toEqual([2, 2]);
    expect(await shown.labels(...groupsOf('Bank'))).toEqual(['Clerks', 'Vault']);
  });

  it('keep the rows that are open when another account signs in to the other', async () => {
    for (const name of ['Shop', 'Bank']) {
      shown.changeSession(name === 'Shop' ? shop : bank);
      shown.tree.folded(await shown.row(...groupsOf(name)), false);
    }
    shop.become({ userId: '2' });
    shown.changeSession(shop);
    const stateOf = async (name: string) => {
      return shown.tree.getTreeItem(await shown.row(...groupsOf(name))).collapsibleState;
    };
    expect([await stateOf('Shop'), await stateOf('Bank')]).toEqual([1, 2]);
  });

  it('are shown as unreachable one at a time', async () => {
    shop.failure = unreachable;
    for (const name of ['Shop', 'Bank']) await shown.rows(...groupsOf(name));
    const words = async (name: string) => shown.tree.getTreeItem(await shown.row(name)).description;
    expect(await words('Shop')).toBe('cannot be reached');
    expect(await words('Bank')).not.toBe('cannot be reached');
  });
});

describe('a place that could not be read', () => {
  it('says why, offers to retry, and reads only that place again', async () => {
    shop.failure = unreachable;
    const [failure, ...others] = await shown.rows(...groupsOf('Shop'));
    if (!failure) throw new Error('It has no row.');
    expect(others).toEqual([]);
    const { contextValue } = shown.tree.getTreeItem(failure);
    expect(contextValue).toBe('failure;retry');
    expect(shown.tree.commandOf(failure)).toMatchObject({ command: 'analytics.tree.retry', arguments: [failure] });
    await shown.rows(...groupsOf('Bank'));
    shop.groups = { 7: 'North' };
    // Until it is retried, the failure stays.
    expect(await shown.rows(...groupsOf('Shop'))).toEqual([failure]);
    shown.takeChanges();
    shown.tree.retry(failure);
    expect(shown.takeChanges()).toEqual([[failure.parent?.id]]);
    expect(await shown.labels(...groupsOf('Shop'))).toEqual(['North']);
    expect([shop.count(list), bank.count(list)]).toEqual([2, 1]);
  });

  it('is read again once the same account is signed in, and what was read stays', async () => {
    shown.changeSession(shop);
    shop.replies.set('Contact/GetContactList', () => [{ ID: '1', LoginName: 'admin' }]);
    await shown.rows('Shop', 'Security', 'Users');
    shop.failure = unreachable;
    await shown.rows(...groupsOf('Shop'));
    shop.groups = { 7: 'North' };
    shown.changeSession(shop);
    expect(await shown.labels(...groupsOf('Shop'))).toEqual(['North']);
    expect(await shown.labels('Shop', 'Security', 'Users')).toEqual(['admin']);
    expect([shop.count(list), shop.count('Contact/GetContactList')]).toEqual([2, 1]);
  });
});

describe('rows that another account may not see', () => {
  it('are read again when another account signs in', async () => {
    shown.changeSession(shop);
    expect(await shown.labels(...groupsOf('Shop'))).toEqual(['North', 'South']);
    shop.groups = { 8: 'South' };
    shop.become({ userId: '2', isAdmin: false });
    shown.changeSession(shop);
    expect(await shown.labels(...groupsOf('Shop'))).toEqual(['South']);
  });

  it('are gone once the account is signed out, without a request', async () => {
    shown.changeSession(shop);
    await shown.rows(...groupsOf('Shop'));
    const requests = shop.asked.length;
    shop.state = { kind: 'signedOut' };
    shown.changeSession(shop);
    const [row, ...others] = await shown.rows('Shop');
    expect([row?.kind, others.length, shop.asked.length]).toEqual(['notice', 0, requests]);
  });

  it('stay while the session only ran out', async () => {
    shown.changeSession(shop);
    await shown.rows(...groupsOf('Shop'));
    shop.state = { kind: 'expired', account: activeState.account };
    shown.changeSession(shop);
    expect(await shown.labels(...groupsOf('Shop'))).toEqual(['North', 'South']);
    expect(shop.count(list)).toBe(1);
  });
});

describe('an object that changed on its server', () => {
  it('keeps its row when it is renamed, which shows the new name', async () => {
    const before = await shown.row(...groupsOf('Shop'), 'North');
    shop.groups = { 7: 'Northern', 8: 'South' };
    shown.takeChanges();
    await shown.tree.refreshObjects(shop, 'group');
    expect(shown.takeChanges()).toEqual([[before.id]]);
    expect(shown.label(before)).toBe('Northern');
    expect(await shown.row(...groupsOf('Shop'), 'Northern')).toBe(before);
    expect(shown.tree.current(before)).toMatchObject({ name: 'Northern', groupId: '7' });
  });

  it('loses its row when it is removed, and the others stay', async () => {
    const stays = await shown.row(...groupsOf('Shop'), 'South');
    shop.groups = { 8: 'South' };
    shown.takeChanges();
    await shown.tree.refreshObjects(shop, 'group');
    expect(shown.takeChanges()).toEqual([[stays.parent?.id]]);
    expect(await shown.rows(...groupsOf('Shop'))).toEqual([stays]);
  });

  it('is not read again for kinds that its list does not show', async () => {
    await shown.rows(...groupsOf('Shop'));
    await shown.tree.refreshObjects(shop, 'policy', 'library', 'smtp');
    expect(shop.count(list)).toBe(1);
  });
});

describe('a reply that is overtaken', () => {
  it('is not what the editor gets', async () => {
    const [slow, fast] = [Promise.withResolvers<unknown[]>(), [{ GroupId: 7, GroupName: 'Newer' }]];
    const place = await shown.row(...groupsOf('Shop'));
    shop.replies.set(list, () => slow.promise);
    const first = shown.tree.getChildren(place);
    await expect.poll(() => shop.count(list)).toBe(1);
    shop.replies.set(list, () => fast);
    await shown.tree.refresh(place);
    slow.resolve([{ GroupId: 7, GroupName: 'Older' }]);
    expect((await first).map((row) => shown.label(row))).toEqual(['Newer']);
    expect(await shown.labels(...groupsOf('Shop'))).toEqual(['Newer']);
  });
});

describe('a refresh', () => {
  it('reads open places before it tells the editor, and folded ones when they are opened', async () => {
    const open = await shown.row(...groupsOf('Shop'));
    const folded = await shown.row(...groupsOf('Bank'));
    for (const place of [open, folded]) await shown.tree.getChildren(place);
    shown.tree.folded(folded, true);
    bank.groups = { 7: 'Clerks' };
    await shown.tree.refresh();
    expect([shop.count(list), bank.count(list)]).toEqual([2, 1]);
    expect(await shown.labels(...groupsOf('Bank'))).toEqual(['Clerks']);
    expect(bank.count(list)).toBe(2);
  });

  it('asks for the installation again: an address may lead to another one', async () => {
    const before = await shown.row(...groupsOf('Shop'), 'North');
    expect(before.installation).toBe('one');
    shop.replies.set('LicenseManager/GetInstallationID', () => 'two');
    await shown.tree.refresh(before);
    expect(shown.tree.current(before).installation).toBe('two');
  });
});

describe('a server that is removed', () => {
  it('has no row, and nothing of it is kept for the next one of that id', async () => {
    await shown.rows(...groupsOf('Shop'));
    shown.changeServers(bank);
    expect(shown.takeChanges()).toContain('everything');
    expect(await shown.labels()).toEqual(['Bank']);
    const next = new ScriptedConnection('1', 'Other');
    next.groups = { 7: 'Own' };
    shown.changeServers(next, bank);
    expect(await shown.labels(...groupsOf('Other'))).toEqual(['Own']);
    expect((await shown.row(...groupsOf('Other'), 'Own')).connection).toBe(next);
  });
});

describe('a filter', () => {
  it('hides loaded rows without a request, and says where it hides all', async () => {
    await shown.rows(...groupsOf('Shop'));
    await shown.rows(...groupsOf('Bank'));
    const requests = shop.asked.length + bank.asked.length;
    shown.takeChanges();
    shown.tree.filter = ' NORTH ';
    expect(shown.takeChanges()).toHaveLength(1);
    expect(await shown.labels(...groupsOf('Shop'))).toEqual(['North']);
    expect(await shown.rows(...groupsOf('Bank'))).toMatchObject([{ kind: 'notice', reason: 'noneFiltered' }]);
    shown.tree.filter = '';
    expect(await shown.labels(...groupsOf('Bank'))).toEqual(['Tellers', 'Vault']);
    expect(shop.asked.length + bank.asked.length).toBe(requests);
  });
});

describe('a long list', () => {
  it('shows its next rows when asked, and returns the first of them', async () => {
    shop.groups = Object.fromEntries(Array.from({ length: 1_200 }, (_, i) => [i, `G${String(i).padStart(4, '0')}`]));
    const more = (await shown.rows(...groupsOf('Shop'))).at(-1);
    if (more?.kind !== 'more') throw new Error('All are shown.');
    expect(shown.tree.getTreeItem(more).contextValue).toBe('more;showAll');
    const first = await shown.tree.showMore(more, false);
    expect(first && shown.label(first)).toBe('G0500');
    expect(await shown.rows(...groupsOf('Shop'))).toHaveLength(1_001);
    await shown.tree.showMore(more, true);
    expect(await shown.rows(...groupsOf('Shop'))).toHaveLength(1_200);
    expect(shop.count(list)).toBe(1);
  });
});

describe('rows of objects with changes in their documents', () => {
  const spoken = async (name: string) =>
    shown.tree.getTreeItem(await shown.row(...groupsOf('Shop'), name)).accessibilityInformation?.label ?? '';

  it('say so in words, and are drawn again when that changes', async () => {
    const [before, other] = [await spoken('North'), await spoken('South')];
    const north = await shown.row(...groupsOf('Shop'), 'North');
    shown.takeChanges();
    shown.unsaved.set('7', 'unsaved');
    shown.tree.documentsChanged();
    expect(shown.takeChanges()).toEqual([[north.id]]);
    expect([await spoken('North'), await spoken('South')]).toEqual([`${before}, Open with unsaved changes`, other]);
    shown.tree.documentsChanged();
    expect(shown.takeChanges()).toEqual([]);
    shown.unsaved.set('7', 'notSaved');
    shown.tree.documentsChanged();
    expect(await spoken('North')).toBe(`${before}, Open, last save failed`);
    shown.unsaved.clear();
    shown.tree.documentsChanged();
    expect(await spoken('North')).toBe(before);
  });

  it('have the rows beside them, as they are now', async () => {
    const north = await shown.row(...groupsOf('Shop'), 'North');
    expect(shown.tree.siblings(north).map((row) => shown.label(row))).toEqual(['North', 'South']);
    shop.groups = { 8: 'South' };
    await shown.tree.refreshObjects(shop, 'group');
    expect(shown.tree.siblings(north).map((row) => shown.label(row))).toEqual(['South']);
    expect(shown.tree.siblings(await shown.row('Shop')).map((row) => shown.label(row))).toEqual(['Shop', 'Bank']);
  });
});
