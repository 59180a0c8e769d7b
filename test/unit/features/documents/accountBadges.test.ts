import { expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { AccountBadges } from '../../../../src/features/documents/accountBadges.ts';
import { documentUri } from '../../../../src/editor/documentUri.ts';

/** Badges of documents by connection, for these accounts: name and address. */
function badgesOf(accounts: Record<string, [userName: string, apiBase: string]>): Record<string, string | undefined> {
  const list = Object.entries(accounts).map(([id, [userName, apiBase]]) => ({
    id,
    kind: 'remote',
    name: id,
    userName,
    entry: { apiBase },
  }));
  const connections = {
    list: () => list as unknown as Connection[],
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const badges = new AccountBadges(connections);
  const shown = list.map(({ id }) => {
    const uri = documentUri({ connectionId: id, kind: 'policy', id: '7', name: 'North' }, 'one');
    return [id, badges.provideFileDecoration(uri)?.badge] as const;
  });
  badges.dispose();
  return Object.fromEntries(shown);
}

it('marks documents of several accounts of one server differently, and none of a sole account', () => {
  const shop = 'https://shop.example/api';
  expect(
    badgesOf({ a: ['admin', shop], b: ['north.viewer', shop], c: ['admin', 'https://other.example/api'] }),
  ).toEqual({
    a: 'A',
    b: 'NV',
    c: undefined,
  });
  expect(badgesOf({ a: ['nora.vale', shop], b: ['north.viewer', shop] })).toEqual({ a: '1', b: '2' });
});
