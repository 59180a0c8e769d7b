import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { hashPassword } from '../../../../src/server/identity/passwords.ts';
import { Sessions } from '../../../../src/server/identity/sessions.ts';
import { signInWithPassword } from '../../../../src/server/identity/sessionHandlers.ts';
import { SignInLocks } from '../../../../src/server/identity/signInLocks.ts';
import { deleteUser, findUser, insertUser, setPassword } from '../../../../src/server/identity/users.ts';
import { settingsSchema } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';
import { useRealHashes } from '../../../support/security/quickHashes.ts';

/* What becomes of an account while the password that was given for it is hashed, which takes a while. */

let quickAgain: () => void;
beforeAll(() => (quickAgain = useRealHashes()));
afterAll(() => quickAgain());

let store: Store;
let sessions: Sessions;
let ann: string;
const audited: string[] = [];

beforeEach(async () => {
  store = Store.open(':memory:', [settingsSchema, identitySchema]);
  sessions = new Sessions(store, new Date(), () => undefined);
  ann = insertUser(store, { loginName: 'ann' });
  setPassword(store, ann, await hashPassword('the old one'));
  audited.length = 0;
});
afterEach(() => {
  sessions.close();
  store.close();
});

function signIn(password: string) {
  const audit = (symbol: string) => void audited.push(symbol);
  const context = {
    store,
    now: new Date(),
    signal: new AbortController().signal,
    isFromWebPage: false,
    source: undefined,
    audit,
  };
  return signInWithPassword(
    context,
    { sessions, locks: new SignInLocks() },
    { loginName: 'ann', password },
    () => undefined,
  );
}

describe('a sign-in with the right password', () => {
  it('begins a session', async () => {
    expect((await signIn('the old one'))?.user.id).toBe(ann);
    expect(audited).toEqual(['Login Success']);
  });

  it('fails when the password is changed meanwhile', async () => {
    const other = await hashPassword('the new one');
    const signingIn = signIn('the old one');
    setPassword(store, ann, other);
    expect(await signingIn).toBeUndefined();
    expect(audited).toEqual(['Login Failure']);
    expect(sessions.isSignedIn(ann, new Date())).toBe(false);
  });

  it('fails when the account is locked meanwhile', async () => {
    const signingIn = signIn('the old one');
    store.run('UPDATE user SET locked = ? WHERE id = ?', new Date().toISOString(), ann);
    expect(await signingIn).toBeUndefined();
    expect(findUser(store, ann)?.locked).not.toBeNull();
  });

  it('fails when the user is deleted meanwhile', async () => {
    const signingIn = signIn('the old one');
    deleteUser(store, ann);
    expect(await signingIn).toBeUndefined();
    expect(audited).toEqual(['Login Failure']);
  });
});
