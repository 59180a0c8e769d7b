import { randomBytes } from 'node:crypto';
import type { EndpointPath, ReplyOf, RequestOf } from '../../../../src/contract/endpoints.ts';
import type { RegisteredServer } from '../../../../src/contract/resources/application.ts';
import type { SignedInContext } from '../../../../src/server/calls/handlers.ts';
import { applicationNames, catalogueSchema } from '../../../../src/server/catalogue/applications.ts';
import { createCatalogueHandlers } from '../../../../src/server/catalogue/catalogueHandlers.ts';
import { SecretBox } from '../../../../src/server/catalogue/secretBox.ts';
import { Databases } from '../../../../src/server/databases/databases.ts';
import { callerOf } from '../../../../src/server/identity/callers.ts';
import { identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { UserRecords } from '../../../../src/server/identity/userRecords.ts';
import { findUserByLogin, insertUser } from '../../../../src/server/identity/users.ts';
import { settingsSchema } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';
import { anyFolder } from '../../../support/databases/anyFolder.ts';

/** The catalogue over a store in memory, called as any user; `audits` collects what it records. */
export class CatalogueFixture {
  readonly store = Store.open(':memory:', [settingsSchema, identitySchema, catalogueSchema]);
  readonly secrets = new SecretBox(randomBytes(32));
  readonly databases = new Databases(anyFolder);
  readonly audits: string[] = [];
  readonly #handlers = createCatalogueHandlers({
    secrets: this.secrets,
    databases: this.databases,
    userRecords: new UserRecords(applicationNames),
    protectedApplications: () => new Set(),
    contradictsPolicies: () => Promise.resolve(false),
  });

  /** Calls an endpoint as a user, who is made if need be, and gives its reply or the symbol for 204. */
  async call<P extends EndpointPath>(loginName: string, path: P, body: RequestOf<P>): Promise<ReplyOf<P>> {
    const handler = this.#handlers[path] as ((body: unknown, context: SignedInContext) => unknown) | undefined;
    if (!handler) throw new Error(`The catalogue has no handler for ${path}`);
    return (await handler(body, this.#context(loginName))) as ReplyOf<P>;
  }

  /** Id of a user, who is made if need be. */
  user(loginName: string, isAdmin = false): string {
    return findUserByLogin(this.store, loginName)?.id ?? insertUser(this.store, { loginName, isAdmin });
  }

  async close(): Promise<void> {
    await this.databases.close();
    this.store.close();
  }

  #context(loginName: string): SignedInContext {
    this.user(loginName);
    const user = findUserByLogin(this.store, loginName);
    if (!user) throw new Error(`There is no user ${loginName}`);
    return {
      store: this.store,
      now: new Date('2026-01-15T12:00:00Z'),
      signal: new AbortController().signal,
      isFromWebPage: false,
      source: undefined,
      audit: (symbol, detail) => this.audits.push(`${symbol}: ${detail}`),
      caller: callerOf(this.store, user, false),
      sessionToken: '',
    };
  }
}

/** A registered server to save, with its collections. */
export function serverToSave(moduleId: string, change: Partial<RegisteredServer> = {}): RegisteredServer {
  return {
    ID: '',
    product: { ID: moduleId, ModuleType: 'ANYDB' },
    DisplayName: 'Warehouse',
    DatabasePlatform: 'duckdb',
    DatabaseName: ':memory:',
    DatabaseLogin: 'reader',
    Permissions: [],
    datasources: [],
    ...change,
  };
}
