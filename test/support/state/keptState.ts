import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { readUnchanged } from '../../../src/server/store/stateBackup.ts';
import type { TestServer } from '../server.ts';

/** Password of all accounts of a kept state. */
export const keptPassword = 'correct horse battery staple';
/** Key of its stored passwords. */
export const keptKey = Buffer.alloc(32, 7);
/** Folder of the kept states: `<release>.db.gz`, and `<release>.replies.json.gz`, what that release replied. */
export const keptStates = path.resolve(import.meta.dirname, '..', '..', 'fixtures', 'states');

const recorded = z.object({
  user: z.string(),
  endpoint: z.string(),
  body: z.record(z.string(), z.unknown()),
  reply: z.unknown(),
});
/** One call of a user, and what was replied. */
export type RecordedCall = z.output<typeof recorded>;

/** What a release replied on its kept state. */
export function recordedReplies(release: string): RecordedCall[] {
  const text = gunzipSync(readFileSync(path.join(keptStates, `${release}.replies.json.gz`))).toString();
  return z.array(recorded).parse(JSON.parse(text));
}

/** A new data folder with a state and the key of its passwords. */
export function folderWithState(state: Buffer): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'analytics-kept-'));
  writeFileSync(path.join(folder, 'state.db'), state, { mode: 0o600 });
  writeFileSync(path.join(folder, 'secret.key'), keptKey.toString('base64'), { mode: 0o600 });
  return folder;
}

/** The state that a release left. */
export function keptState(release: string): Buffer {
  return gunzipSync(readFileSync(path.join(keptStates, `${release}.db.gz`)));
}

/** Identifier of the installation whose state a folder holds, which no process may have open. */
export function installationIn(dataFolder: string): string {
  return readUnchanged(path.join(dataFolder, 'state.db'), (database) =>
    String(database.prepare('SELECT identifier FROM installation').get()?.identifier),
  );
}

/** What changes from one moment or session to the next, wherever it is in a reply. */
const passing = /^(?:SessionToken|SessionTimeLeft|SessionExpir|LoginDate)$/;
/** Templates that are named after the moment. */
const namedAfterMoment: Readonly<Record<string, readonly string[]>> = {
  'Shield/NewPolicy': ['Name', 'Description', 'CreatedDate', 'ModifiedDate'],
};

/** Asks a server the recorded calls, each user signed in once; `user` empty means a guest. */
export async function ask(server: TestServer, calls: readonly Omit<RecordedCall, 'reply'>[]): Promise<RecordedCall[]> {
  const people = new Map<string, Awaited<ReturnType<TestServer['login']>>>();
  const replies: RecordedCall[] = [];
  for (const { user, endpoint, body } of calls) {
    let person = people.get(user);
    if (!person) {
      person = user === '' ? await server.loginAsGuest() : await server.login(user, keptPassword);
      people.set(user, person);
    }
    const { status, text, json } =
      endpoint === 'login/DoLogin'
        ? { status: 200, text: '', json: person.reply }
        : await server.send(`/api/${endpoint}`, { body: JSON.stringify({ ...body, sessionToken: person.token }) });
    replies.push({ user, endpoint, body, reply: { status, content: settled(endpoint, json ?? text) } });
  }
  return replies;
}

function settled(endpoint: string, value: unknown): unknown {
  const ofMoment = namedAfterMoment[endpoint] ?? [];
  const isPassing = (key: string) => passing.test(key) || ofMoment.includes(key);
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (isPassing(key) ? '(passing)' : inner)));
}
