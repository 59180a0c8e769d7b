import { describe, expect, it } from 'vitest';
import { setPin, unlockUser } from '../../../src/objects/userAccess.ts';
import { ClientError } from '../../../src/client/clientError.ts';
import type { WriteJournal } from '../../../src/client/writes/writeJournal.ts';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import type { Json } from '../../../src/objects/json.ts';
import type { ObjectServer } from '../../../src/objects/objectServer.ts';

/** A server with one locked user that does what it is asked, and breaks off before it has answered. */
function breakingOff(entries: string[], writes: string[]): ObjectServer {
  const user = { ErrorCode: 0, ID: '12', LoginName: 'ada', lockdate: '2026-03-01T12:00:00' };
  const journal: WriteJournal = {
    begin: async ({ object }) => ({
      settled: async () => void entries.push(`settled: ${object}`),
      unknown: async () => void entries.push(`unknown: ${object}`),
    }),
  };
  return {
    name: 'Test',
    journal,
    installation: async () => 'one',
    call: async (path: EndpointPath): Promise<Json> => {
      if (path === 'Contact/GetContactById') return user;
      writes.push(path);
      if (path === 'Contact/UnlockContact') user.lockdate = '0001-01-01T00:00:00';
      throw new ClientError('unreachable', 'The connection was lost.', { server: 'Test', endpoint: path });
    },
  };
}

describe('a lost reply', () => {
  it('leaves unknown whether a password was set, as none can be read back, and says so', async () => {
    const [entries, writes]: [string[], string[]] = [[], []];
    const set = setPin(breakingOff(entries, writes), '12', 'new password');
    await expect(set).rejects.toMatchObject({
      kind: 'unknownOutcome',
      message: expect.stringContaining('ada') as string,
    });
    expect(entries).toEqual(['unknown: the PIN of ada']);
    expect(writes).toEqual(['Contact/SaveContact']);
  });

  it('of an unlocking is settled by a look at the user', async () => {
    const [entries, writes]: [string[], string[]] = [[], []];
    await unlockUser(breakingOff(entries, writes), '12');
    expect(entries).toEqual(['settled: unlocking ada']);
    expect(writes).toEqual(['Contact/UnlockContact']);
  });
});

describe('an empty reply', () => {
  const secretServer = (revisions: number[], entries: string[]): ObjectServer => {
    const server = breakingOff(entries, []);
    return {
      ...server,
      call: async (path, _body, guard) => {
        const [Revision, next] = revisions;
        const user = { ErrorCode: 0, ID: '12', LoginName: 'ada', ...(Revision !== undefined && { Revision }) };
        if (path === 'Contact/GetContactById') return user;
        if (next !== undefined) revisions.shift();
        guard?.answeredEmpty();
        throw new ClientError('noPermission', 'No answer.', { server: 'Test', endpoint: path, status: 204 });
      },
    };
  };

  it.each([
    ['unknownOutcome', 'a server that counts no revisions', []],
    ['unknownOutcome', 'a user who was saved', [4, 5]],
    ['noPermission', 'a user of the same revision', [4]],
  ])('to another password is %s for %s', async (kind, _what, revisions) => {
    const entries: string[] = [];
    await expect(setPin(secretServer([...revisions], entries), '12', 'new password')).rejects.toMatchObject({ kind });
    expect(entries).toEqual([kind === 'unknownOutcome' ? 'unknown: the PIN of ada' : 'settled: the PIN of ada']);
  });
});
