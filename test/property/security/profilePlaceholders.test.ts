import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CallFailure, type SignedInContext } from '../../../src/server/calls/handlers.ts';
import { callerOf } from '../../../src/server/identity/callers.ts';
import { identitySchema } from '../../../src/server/identity/identitySchema.ts';
import { Sessions } from '../../../src/server/identity/sessions.ts';
import { SignInLocks } from '../../../src/server/identity/signInLocks.ts';
import type { UserParts } from '../../../src/server/identity/userAccess.ts';
import { UserRecords } from '../../../src/server/identity/userRecords.ts';
import { saveOwnProfile } from '../../../src/server/identity/userSaves.ts';
import { findUser, insertUser } from '../../../src/server/identity/users.ts';
import {
  deletePolicy,
  insertPolicy,
  profileFieldsInPolicies,
  securitySchema,
} from '../../../src/server/security/policies.ts';
import { policyConstraint } from '../../../src/server/security/policyConstraint.ts';
import { noOtherPaths, secure } from '../../../src/server/security/rowSecurity.ts';
import { rowSecurityOf } from '../../../src/server/security/rowSecurityOfCaller.ts';
import { settingsSchema } from '../../../src/server/store/settings.ts';
import { Store } from '../../../src/server/store/store.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

/*
 * However a policy writes a field of the profile: the rows depend on it exactly where its owner may not change it. What is
 * certain about a spelling is said here without the parser: by what it was made of.
 */

const numRuns = propertyRuns(400, 10_000);

const fields = {
  firstname: ['FirstName', 'value of the first name'],
  lastname: ['LastName', 'value of the last name'],
  email: ['EmailAddress', 'value of the address'],
  company: ['Company', 'value of the company'],
} as const;
type Field = keyof typeof fields;

/** Comparisons with text that may show rows: texts have no order in policies. None looks at the second value. */
const operators = ['=', '<>', 'in', 'not in', 'like'] as const;

/** Every character that Unicode calls white space. */
const blanks = [...'\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000'].concat(
  Array.from({ length: 11 }, (_, index) => String.fromCodePoint(0x2000 + index)),
);
const invisible = [
  ...'\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u2060\u2066\u3164\ufe0f\ufeff\uffa0\0\u001b',
];
/** Letters that fold to an ASCII one in some language or by compatibility. */
const doubles: Readonly<Record<string, readonly string[]>> = {
  i: ['ı', 'İ', 'ⅰ', 'i\u0307'],
  s: ['ſ', 'ｓ', 'ß'],
  a: ['ａ', 'а', 'a\u0301'],
  m: ['ｍ', '𝐦', 'm\u0300'],
  c: ['ｃ', 'с', 'ⅽ'],
  n: ['ｎ', 'ñ'],
  e: ['ｅ', 'é', 'ℯ'],
  t: ['ｔ', '𝗍'],
};

type Certainty = 'is the field' | 'is not the field' | 'either';
interface Spelling {
  text: string;
  certainty: Certainty;
}

const spaces = fc.array(fc.constantFrom(...blanks), { maxLength: 3 }).map((pieces) => pieces.join(''));
const anyCase = (name: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((upper) => [...name].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(''));

/** A label that was written well, or that one character was put into or replaced in. */
function labels(name: Field): fc.Arbitrary<Spelling> {
  const plain = fc
    .tuple(spaces, anyCase(name), spaces)
    .map((pieces): Spelling => ({ text: pieces.join(''), certainty: 'is the field' }));
  const put = fc
    .tuple(spaces, anyCase(name), fc.nat(name.length), fc.constantFrom(...invisible, '/', '#', '\u0301', ' ', '-'))
    .map(([before, label, at, odd]): Spelling => {
      const isOutside = odd === ' ' && (at === 0 || at === label.length);
      const text = before + label.slice(0, at) + odd + label.slice(at);
      return { text, certainty: isOutside ? 'is the field' : 'is not the field' };
    });
  const replaced = fc.tuple(anyCase(name), fc.nat(name.length - 1), fc.nat(3)).map(([label, at, which]): Spelling => {
    const options = doubles[label[at]?.toLowerCase() ?? ''] ?? ['о'];
    const text = label.slice(0, at) + (options[which % options.length] ?? '') + label.slice(at + 1);
    return { text, certainty: 'is not the field' };
  });
  return fc.oneof(plain, put, replaced);
}

/** A value around a label: alone, in a text, or with marks that are nested, cut or look like others. */
function values(name: Field): fc.Arbitrary<Spelling> {
  const pieces = fc.constantFrom('', 'x', 'a,', ' ', '\n', '/', '#', '/#', '#/', '/#tag1#/', '／＃', '/\u200b#', '＃/');
  return fc.tuple(pieces, labels(name), pieces).map(([before, { text, certainty }, after]): Spelling => {
    const isPlain = ['', 'x', 'a,', ' ', '\n'].includes(before) && ['', 'x', 'a,', ' ', '\n'].includes(after);
    const isNested = /[#/]/.test(text);
    return {
      text: `${before}/#${text}#/${after}`,
      certainty: isPlain && !isNested ? certainty : certainty === 'is the field' ? 'either' : certainty,
    };
  });
}

const spelled = fc
  .constantFrom(...(Object.keys(fields) as Field[]))
  .chain((name) => values(name).map((spelling) => ({ name, ...spelling })));

function openScene() {
  const store = Store.open(':memory:', [settingsSchema, identitySchema, securitySchema]);
  const [firstName, lastName, email, company] = Object.values(fields).map(([, value]) => value);
  const tags = ['tag', '', '', ''] as const;
  const userId = insertUser(store, { loginName: 'ann', ...{ firstName, lastName, email, company }, tags });
  const sessions = new Sessions(store, new Date(), (error) => {
    throw error;
  });
  const user = findUser(store, userId);
  if (!user) throw new Error('The user was just made');
  const { session, token } = sessions.begin(user, false, new Date());
  const applicationNames = () => new Map<string, string>();
  const records = new UserRecords(applicationNames);
  const locks = new SignInLocks();
  const parts: UserParts = {
    sessions,
    locks,
    records,
    applicationNames,
    protectedProfileFields: profileFieldsInPolicies,
  };
  const context: SignedInContext = {
    store,
    now: new Date(),
    signal: new AbortController().signal,
    isFromWebPage: false,
    source: undefined,
    audit: () => undefined,
    caller: session.caller,
    sessionToken: token,
  };
  return { store, userId, sessions, parts, context };
}

type Scene = ReturnType<typeof openScene>;

/** Whether the caller's rows depend on a field: its value is in what the table is compared with. */
function resolves({ store, userId }: Scene, name: Field): boolean {
  const user = findUser(store, userId);
  if (!user) throw new Error('There is no user');
  const columns = [{ name: 'c', kind: 'text' as const }];
  const table = { moduleId: '7', owner: '', name: 't', alias: 't', columns, otherPaths: noOtherPaths };
  const { restriction } = secure(table, rowSecurityOf(store, callerOf(store, user, false), '2026-03-18'));
  return JSON.stringify(restriction).includes(fields[name][1]);
}

async function refusesChange({ store, userId, parts, context }: Scene, name: Field): Promise<boolean> {
  const before = parts.records.one(store, userId);
  const user = { ...before, [fields[name][0]]: 'their own' };
  try {
    await saveOwnProfile(parts, { withpin: false, user }, context);
  } catch (error) {
    if (error instanceof CallFailure && error.message.includes('decides which data you see')) return true;
    throw error;
  }
  store.run(
    "UPDATE user SET first_name = ?, last_name = ?, email = ?, company = ?, field_origins = '{}'",
    ...Object.values(fields).map(([, value]) => value),
  );
  return false;
}

it('rows depend on a field of the profile exactly where its owner may not change it', async () => {
  const scene = openScene();
  const seen = new Map<string, number>();
  try {
    await fc.assert(
      fc.asyncProperty(
        spelled,
        fc.constantFrom(...operators),
        fc.boolean(),
        async ({ name, text, certainty }, Operator, isSecond) => {
          const written = isSecond ? { Value: 'plain', Value2: text } : { Value: text, Value2: 'plain' };
          const constraints = [policyConstraint.parse({ TableName: 't', ColumnName: 'c', Operator, ...written })];
          const assigned = { constraints, groupIds: [], userIds: [scene.userId] };
          const id = insertPolicy(scene.store, { name: 'p', description: '', isActive: true, ...assigned });
          const isResolved = resolves(scene, name);
          expect(await refusesChange(scene, name)).toBe(isResolved);
          deletePolicy(scene.store, id);
          if (certainty === 'is the field') expect(isResolved).toBe(!isSecond);
          if (certainty === 'is not the field') expect(isResolved).toBe(false);
          const kind = `${certainty}: ${isResolved}`;
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
        },
      ),
      { numRuns },
    );
  } finally {
    scene.sessions.close();
    scene.store.close();
  }
  expect(seen.get('is the field: true')).toBeGreaterThan(numRuns / 50);
  expect(seen.get('is not the field: false')).toBeGreaterThan(numRuns / 20);
});
