import { afterEach, expect, it } from 'vitest';
import * as vscode from 'vscode';
import type { Connection } from '../../../../src/connections/connection.ts';
import { AccountBadges } from '../../../../src/features/documents/accountBadges.ts';
import { documentUri } from '../../../../src/editor/documentUri.ts';
import { documents } from '../../../support/vscode/documents.ts';

type Accounts = Record<string, [userName: string, apiBase: string]>;

const policyOf = (connectionId: string) => documentUri({ connectionId, kind: 'policy', id: '7', name: 'North' }, 'one');

function badgesFor(accounts: Accounts): AccountBadges {
  const list = Object.entries(accounts).map(([id, [userName, apiBase]]) => ({
    id,
    kind: 'remote',
    name: id,
    userName,
    entry: { apiBase },
  }));
  return new AccountBadges({
    list: () => list as unknown as Connection[],
    onDidChange: () => ({ dispose: () => undefined }),
  });
}

/** Badges of documents by connection, for these accounts: name and address. */
function badgesOf(accounts: Accounts): Record<string, string | undefined> {
  const badges = badgesFor(accounts);
  const shown = Object.keys(accounts).map((id) => [id, badges.provideFileDecoration(policyOf(id))?.badge] as const);
  badges.dispose();
  return Object.fromEntries(shown);
}

const [shop, bank] = ['https://shop.example/api', 'https://bank.example/api'];

afterEach(() => documents.closeAll());

it('marks documents of several accounts of one server differently, and none of a sole account', () => {
  expect(badgesOf({ a: ['admin', shop], b: ['north.viewer', shop], c: ['admin', bank] })).toEqual({
    a: 'A',
    b: 'NV',
    c: undefined,
  });
  expect(badgesOf({ a: ['nora.vale', shop], b: ['north.viewer', shop] })).toEqual({ a: '1', b: '2' });
});

it('marks documents of the same name from two servers while both are open', async () => {
  const accounts: Accounts = { 'Big Shop': ['admin', shop], Bank: ['admin', bank], Mill: ['admin', 'https://mill'] };
  const open = async (id: string, name = 'North') => {
    await vscode.window.showTextDocument(documentUri({ connectionId: id, kind: 'policy', id: '7', name }, 'one'));
  };
  const files = {
    onDidChangeFile: () => ({ dispose: () => undefined }),
    stat: () => ({ type: 1, ctime: 0, mtime: 0, size: 2 }),
    readFile: () => new TextEncoder().encode('{}'),
  };
  const provider = vscode.workspace.registerFileSystemProvider(
    'analytics',
    files as unknown as vscode.FileSystemProvider,
  );
  const badges = badgesFor(accounts);
  const changes: unknown[] = [];
  badges.onDidChangeFileDecorations((change) => changes.push(change));
  await open('Big Shop');
  await open('Mill', 'South');
  expect(badgesOf(accounts)).toEqual({ 'Big Shop': undefined, Bank: 'B', Mill: 'M' });
  await open('Bank');
  expect(changes).toHaveLength(3);
  expect(badgesOf(accounts)).toMatchObject({ 'Big Shop': 'BS', Bank: 'B' });
  expect(badges.provideFileDecoration(policyOf('Bank'))?.tooltip).toBe('admin · Bank');
  badges.dispose();
  provider.dispose();
});
