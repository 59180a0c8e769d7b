import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { SecretBox } from '../../../../src/server/catalogue/secretBox.ts';
import { isRecord } from '../../../support/isRecord.ts';
import { startServer } from '../../../support/server.ts';
import {
  ask,
  folderWithState,
  keptKey,
  keptState,
  keptStates,
  recordedReplies,
} from '../../../support/state/keptState.ts';

const zoneName = 'since 0.2.0 a registered server names its time zone';
const selfSet = 'since 0.2.0 a user names the profile fields that the user set, which no administrator has confirmed';
/** What replies of a later release may differ in, and why. */
const allowed: Readonly<Record<string, string>> = {
  'login/DoLogin.ProductVersion': 'it is another release',
  'Contact/GetContactList.SelfSetFields': selfSet,
  'Contact/GetContactById.SelfSetFields': selfSet,
  'Shield/GetAllShieldPolicies.Constraints.ColumnType':
    'since 0.2.0 a constraint tells the type that the database calls its column',
  'AppSettings/GetAppSettings.InactiveSettings': 'since 0.2.0 the server names the settings that it does not act on',
  'Report/GetSQLFunctions.description': '0.2.0 describes functions in other words',
  'App/GetApplicationList.RegisteredServers.timezonename': zoneName,
  'RegServers/GetAdminRegisteredServers.timezonename': zoneName,
  'AppBuilder/GetAnyDbModulesList.timezonename': zoneName,
  'AppBuilder/GetAnyDbModule.DBSQLTableList.ErrorMessage':
    'the database does not exist here; 0.2.0 says so in other words',
};

/** Fields that differ, each by its endpoint and names, without the places in lists. */
function differences(before: unknown, after: unknown, at: string, found: Set<string>): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    before.forEach((entry, index) => differences(entry, after[index], at, found));
  } else if (isRecord(before) && isRecord(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      differences(before[name], after[name], `${at}.${name}`, found);
    }
  } else found.add(at);
}

const releases = readdirSync(keptStates)
  .filter((name) => name.endsWith('.db.gz'))
  .map((name) => name.slice(0, -'.db.gz'.length));

describe.each(releases)('the state that release %s left', (release) => {
  it(
    'is read as that release read it: every reply of every read, for each kind of user',
    { timeout: 120_000 },
    async () => {
      const dataFolder = folderWithState(keptState(release));
      try {
        const recorded = recordedReplies(release);
        const server = await startServer({ dataFolder, realHashes: true });
        const replies = await ask(server, recorded).finally(() => server.stop());
        const found = new Set<string>();
        recorded.forEach(({ endpoint, reply }, index) => {
          const now = replies[index]?.reply;
          if (!isRecord(reply) || !isRecord(now)) throw new Error(`No reply of ${endpoint}`);
          if (reply.status !== now.status)
            found.add(`${endpoint}: status ${String(now.status)}, not ${String(reply.status)}`);
          else differences(reply.content, now.content, endpoint, found);
        });
        expect([...found].filter((field) => !(field in allowed))).toEqual([]);
        expect(recorded.length).toBeGreaterThan(900);
      } finally {
        rmSync(dataFolder, { recursive: true });
      }
    },
  );

  it('is rich: every table has rows but those of sessions and seats, and its passwords open', () => {
    const dataFolder = folderWithState(keptState(release));
    const database = new DatabaseSync(path.join(dataFolder, 'state.db'));
    try {
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      const empty = tables
        .map(({ name }) => String(name))
        .filter((name) => database.prepare(`SELECT count(*) AS count FROM "${name}"`).get()?.count === 0);
      expect(empty.sort()).toEqual(['licensed_seats', 'session']);
      const kinds = database
        .prepare('SELECT DISTINCT kind FROM favourite JOIN item ON id = item_id ORDER BY kind')
        .all();
      expect(kinds.map(({ kind }) => kind)).toEqual(['dashboard', 'report']);
      const sealed = database
        .prepare('SELECT id, sealed_password FROM registered_server WHERE sealed_password NOT NULL')
        .get();
      if (!(sealed?.sealed_password instanceof Uint8Array)) throw new Error('No stored password');
      const box = new SecretBox(keptKey);
      expect(box.open(`registered server ${String(sealed.id)}`, sealed.sealed_password)).toBe('a stored password');
    } finally {
      database.close();
      rmSync(dataFolder, { recursive: true });
    }
  });
});
