import type { RequestOf } from '../../contract/endpoints.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import type { LoginResponse, Passport, Session } from '../../contract/resources/session.ts';
import { isAdministrator } from '../calls/caller.ts';
import { type CallContext, CallFailure, type Handlers, type SignedInContext } from '../calls/handlers.ts';
import { refusal } from '../calls/wholeObject.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { numberOf } from '../store/columns.ts';
import { readSettings } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import { phrases } from './phrases.ts';
import { product, isReservedLogin } from './product.ts';
import { licenceOf, seatsOf } from './licences.ts';
import type { ActiveSession, Sessions } from './sessions.ts';
import { language, type ApplicationNames, type UserRecords } from './userRecords.ts';
import { applicationRoleIds } from './applicationRoles.ts';
import { adminUserId, guestUserId } from './identitySchema.ts';
import { verifyPassword } from './passwords.ts';
import { isAccountLocked, storeUnlocked, type SignInLocks } from './signInLocks.ts';
import { findUser, findUserByLogin, passwordHashOf, type StoredUser } from './users.ts';

/** Data of other rooms that sign-in and passport show. */
interface SessionParts extends SignInParts {
  records: UserRecords;
  applicationNames: ApplicationNames;
  /** Resolves when the passwords of a new data folder are stored; sign-ins wait for it. */
  passwordsReady: Promise<void>;
  countReports(store: Store): number;
  /** Licence profiles of the applications the caller may use. */
  moduleProfiles(store: Store, context: SignedInContext): unknown[];
  /** Registered servers of those applications. */
  registeredServers(store: Store, context: SignedInContext): unknown[];
  /** The mail configuration without its password, if there is one. */
  mailServers(store: Store): unknown[];
}

/** Handlers of sign-in and session. API description, Authentication. */
export function createSessionHandlers(parts: SessionParts): Handlers {
  const { sessions } = parts;
  return {
    'login/DoLogin': async (body, context) => {
      try {
        return await login(parts, body, context);
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        return failedLogin(context.store, error.code, error.message);
      }
    },
    'Session/CheckSession': (_body, context) => currentSession(sessions, context),
    'Session/RefreshSession': (_body, context) => currentSession(sessions, context),
    'Session/ResetPassport': (_body, context) => {
      const caller = sessions.renewPassport(context.sessionToken) ?? context.caller;
      return passportReply(parts, { ...context, signal: context.signal, caller });
    },
    'login/DoLogout': (_body, context) => {
      sessions.end(context.sessionToken, () => context.audit(auditSymbols.logout, context.caller.loginName));
      return 0;
    },
  };
}

/** @throws {CallFailure} when the call is incomplete, or the user's earlier session is not to be replaced. */
async function login(
  parts: SessionParts,
  body: RequestOf<'login/DoLogin'>,
  context: CallContext,
): Promise<LoginResponse> {
  const { sessions } = parts;
  if (typeof body.bolForceLogin !== 'boolean') {
    throw new CallFailure(errorCodes.unexpected, 'bolForceLogin is missing: send true.');
  }
  await parts.passwordsReady;
  if (body.isGuest) return loginResponse(parts, context.store, context.now, signInAsGuest(context, sessions));
  const credentials = { loginName: body.UserId, password: body.UserPassword };
  const isForced = body.bolForceLogin;
  const signedIn = await signInWithPassword(context, parts, credentials, (user) => {
    if (isForced || !sessions.isSignedIn(user.id, context.now)) return;
    throw refusal(`${user.loginName} is signed in elsewhere. Send bolForceLogin true to end that session.`);
  });
  return loginResponse(parts, context.store, context.now, signedIn);
}

/** The session, whose expiry this call has just extended. */
function currentSession(sessions: Sessions, { caller, sessionToken }: SignedInContext): Session {
  const session = sessions.of(caller);
  if (!session) throw new CallFailure(errorCodes.notSignedIn, 'Session Expired');
  return sessionReply(session, sessionToken);
}

function sessionReply(session: ActiveSession, token: string): Session {
  return {
    ErrorCode: 0,
    ErrorMessage: '',
    SessionToken: token,
    SessionFlag: 0,
    isGuestSession: session.isGuest,
    SessionExpir: momentOf(session.expires),
  };
}

let lastMoment = { milliseconds: 0, text: new Date(0).toISOString() };

/** Formats a time; cached, because many calls arrive within the same millisecond. */
function momentOf(milliseconds: number): string {
  if (lastMoment.milliseconds !== milliseconds) {
    lastMoment = { milliseconds, text: new Date(milliseconds).toISOString() };
  }
  return lastMoment.text;
}

function loginResponse(parts: SessionParts, store: Store, now: Date, signedIn: SignedIn | undefined): LoginResponse {
  if (!signedIn) {
    return failedLogin(store, errorCodes.notSignedIn, 'Login Failed - Username or Password is invalid.');
  }
  const { session, token, user } = signedIn;
  const record = parts.records.one(store, user.id);
  return {
    ErrorCode: 0,
    ErrorMessage: '',
    LoginSession: {
      ...sessionReply(session, token),
      SessionTimeLeft: Math.round((session.expires - now.getTime()) / 1_000),
      Mfa2FA_State: 'none',
      Mfa2FA_AuthURI: null,
      Mfa2FA_AuthStatus: null,
    },
    LoginUser: { ...record, Language: { ...(record?.Language ?? language), phraselist: [...phrases] } },
    ...instanceFields(store),
    LicensedFeatures: licensedFeatures(store, parts.applicationNames),
  };
}

/** Contains every field, so that clients may read any of them; licences are hidden without a session. */
function failedLogin(store: Store, ErrorCode: number, ErrorMessage: string): LoginResponse {
  return {
    ...{ ErrorCode, ErrorMessage, LoginSession: null, LoginUser: null },
    ...instanceFields(store),
    LicensedFeatures: [],
  };
}

/** Fields of the instance in a sign-in reply. API description, Login response. */
function instanceFields(store: Store) {
  const settings = readSettings(store);
  return {
    Tenant_Mode: settings.TENANT_MODE_ENABLED === 'True',
    ProductName: settings.Productname,
    ProductType: product.type,
    ProductVersion: product.version,
    maustate: licenceOf(store).state,
    maxrecords: String(settings.MaxRecords),
  };
}

/** Seats by kind over all applications, and the features that are always included. */
function licensedFeatures(store: Store, applicationNames: ApplicationNames) {
  const ids = [...applicationNames(store).keys()];
  const seats = String(ids.reduce((sum, id) => sum + seatsOf(store, id).licensed, 0));
  return [
    { Feature: 'Builder', count: seats, id: applicationRoleIds.builder },
    { Feature: 'Agent', count: seats, id: applicationRoleIds.agent },
    { Feature: 'Architect', count: seats, id: applicationRoleIds.architect },
    { Feature: 'Roles', count: '1', id: '8' },
    { Feature: 'Shield', count: '1', id: '9' },
  ];
}

function passportReply(parts: SessionParts, context: SignedInContext): Passport {
  const { store } = context;
  const users = store.get('SELECT count(*) AS count FROM user');
  const { isExpired } = licenceOf(store);
  return {
    ErrorCode: 0,
    ErrorMessage: '',
    isFirstRun: false,
    isExpiredBase: isExpired,
    isValidBase: !isExpired,
    isValidTrial: false,
    Version: product.passportVersion,
    ProdType: product.type,
    TotalReportCount: parts.countReports(store),
    TotalUserCount: users ? numberOf(users, 'count') : 0,
    ServiceModuleProfiles: parts.moduleProfiles(store, context),
    isSchedulerLicensed: false,
    isConnectLicensed: false,
    isRolesLicensed: true,
    isLDAPLicensed: false,
    isShieldLicensed: true,
    RegisteredServerList: parts.registeredServers(store, context),
    ServiceLicenses: [],
    TrialLicenses: [],
    TeamLicenses: [],
    EnterpriseLicenses: [],
    SMTPServerList: isAdministrator(context.caller) ? parts.mailServers(store) : [],
  };
}

/** What a sign-in needs: the sessions, and the locks that prevent it. */
interface SignInParts {
  sessions: Sessions;
  locks: SignInLocks;
}

/** A new session. */
interface SignedIn {
  token: string;
  session: ActiveSession;
  user: StoredUser;
}

/**
 * Signs a user in by password; undefined when name or password is wrong, or the account is locked or reserved. Neither
 * the answer nor its timing reveals the reason. Success and failure are audited. `mayReplace` is called once the
 * password is verified and may throw to keep the user's earlier session.
 */
export async function signInWithPassword(
  context: CallContext,
  parts: SignInParts,
  credentials: { loginName: string; password: string },
  mayReplace: (user: StoredUser) => void,
): Promise<SignedIn | undefined> {
  const { store, now } = context;
  // Before hashing, which costs much: a source knows its own lock, so that the timing reveals nothing.
  if (parts.locks.isSourceLocked(context)) return undefined;
  const named = findUserByLogin(store, credentials.loginName);
  const account = named && maySignIn(context.store, named) ? named : undefined;
  const hash = account ? passwordHashOf(store, account.id) : null;
  const matches = await verifyPassword(credentials.password, hash);

  // The account may have changed during hashing.
  const user = account && findUser(store, account.id);
  const isRight = user && matches && passwordHashOf(store, user.id) === hash && maySignIn(store, user);
  if (!isRight || parts.locks.isLocked(user, context)) {
    recordFailure(context, parts.locks, user);
    return undefined;
  }
  try {
    mayReplace(user);
  } catch (error) {
    // The password was correct: attempts with stolen passwords must be audited, too.
    context.audit(auditSymbols.loginFailure, `${user.loginName}, signed in elsewhere`, user.id);
    throw error;
  }
  parts.locks.forget(user.id);
  return begin(context, parts.sessions, user, false, now);
}

/** Guests have no password, and reserved names belong to no person; the built-in admin may sign in under any name. */
function maySignIn(store: Store, { id, loginName }: StoredUser): boolean {
  return id === adminUserId || (id !== guestUserId && !isReservedLogin(store, loginName));
}

/** Starts a session of the built-in guest account. */
function signInAsGuest(context: CallContext, sessions: Sessions): SignedIn | undefined {
  const guest = findUser(context.store, guestUserId);
  if (!guest || isAccountLocked(guest, context.now)) return undefined;
  return begin(context, sessions, guest, true, context.now);
}

function begin(context: CallContext, sessions: Sessions, user: StoredUser, isGuest: boolean, now: Date): SignedIn {
  const { token, session } = sessions.begin(user, isGuest, now, () => {
    if (!isGuest) storeUnlocked(context.store, user.id);
    context.store.run('UPDATE user SET last_login = ? WHERE id = ?', now.toISOString(), user.id);
    context.audit(auditSymbols.loginSuccess, isGuest ? 'guest' : user.loginName, user.id);
  });
  return { token, session, user };
}

/** Counts and audits a failure. An unknown name is not recorded: it may be a password typed into the wrong field. */
function recordFailure(context: CallContext, locks: SignInLocks, user: StoredUser | undefined): void {
  const { isLocked, write, stored } = locks.recordFailure(user, context);
  const page = context.isFromWebPage ? ', from a web page' : '';
  const heldUp = locks.isSourceLocked(context) ? ', locked out' : '';
  const source = context.source === undefined ? '' : `, from ${context.source}${heldUp}`;
  const name = user ? `${user.loginName}${isLocked ? ', locked' : ''}` : 'unknown account';
  const audit = () => context.audit(auditSymbols.loginFailure, `${name}${page}${source}`, user?.id);
  const work = () => {
    write(context.store);
    audit();
  };
  context.store.transactionOrLater(work, { stored });
}
