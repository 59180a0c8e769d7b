import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { chooseProxy, type ProxySettings } from '../../client/http/chooseProxy.ts';
import { ClientError } from '../../client/clientError.ts';
import type { ProxyTarget, ServerTarget, TlsTarget } from '../../client/http/target.ts';
import { StoredState, type StateStore } from '../storedState.ts';
import { withSecretStorage } from '../secrets/withSecretStorage.ts';
import type { ClientCertificateFiles, ProxyAccount } from './networkSettings.ts';

/** A certificate that the user reviewed and chose to trust; no other certificate is accepted instead. */
interface CertificatePin {
  /** SHA-256, upper-case pairs joined by colons. */
  fingerprint: string;
  /** ISO 8601. */
  pinnedAt: string;
}

const stateKey = 'analytics.certificatePins';
const pattern = /^([\dA-F]{2}:){31}[\dA-F]{2}$/;

/** Pinned certificates by the origin of the server, for example `https://reports.example.com`. Contains no secrets. */
class CertificatePins {
  readonly #state: StoredState<Record<string, unknown>>;

  constructor(state: StateStore) {
    this.#state = new StoredState(state, { version: 1, parse: asRecord });
  }

  get(origin: string): CertificatePin | undefined {
    return this.#read().get(origin);
  }

  async set(origin: string, fingerprint: string): Promise<void> {
    const pins = this.#read().set(origin, { fingerprint, pinnedAt: new Date().toISOString() });
    await this.#state.update(stateKey, Object.fromEntries(pins));
  }

  async delete(origin: string): Promise<void> {
    const pins = this.#read();
    if (pins.delete(origin)) await this.#state.update(stateKey, Object.fromEntries(pins));
  }

  /** Ignores invalid pins: the server is then checked like any other. */
  #read(): Map<string, CertificatePin> {
    const kept = Object.entries(this.#state.get(stateKey) ?? {});
    return new Map(kept.filter((entry): entry is [string, CertificatePin] => isPin(entry[1])));
  }
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

function isPin(value: unknown): value is CertificatePin {
  if (typeof value !== 'object' || value === null) return false;
  const { fingerprint, pinnedAt } = value as Partial<Record<keyof CertificatePin, unknown>>;
  return typeof fingerprint === 'string' && pattern.test(fingerprint) && typeof pinnedAt === 'string';
}

/** How to reach a server. The object's identity changes only when its content does. */
export type Route = Pick<ServerTarget, 'tls' | 'proxy'>;

/** Options of {@link Network}. */
interface NetworkOptions {
  state: vscode.Memento;
  secrets: vscode.SecretStorage;
}

/** A direct connection without certificate settings. */
const direct: Route = {};
const proxySecretPrefix = 'analytics.proxy.';
const passphraseSecret = 'analytics.clientKeyPassphrase';

/**
 * The routes to servers: proxies of the editor and the environment, additional authorities, client certificates and
 * pinned certificates. Only user settings are read; workspace settings are ignored.
 */
export class Network implements vscode.Disposable {
  readonly pins: CertificatePins;
  readonly #secrets: vscode.SecretStorage;
  readonly #routes = new Map<string, Promise<Route>>();
  /** Last routes returned: an unchanged route is returned as the same object, so that clients stay open. */
  readonly #given = new Map<string, Route>();
  readonly #subscriptions: vscode.Disposable;

  constructor({ state, secrets }: NetworkOptions) {
    this.#secrets = secrets;
    this.pins = new CertificatePins(state);
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('http') || event.affectsConfiguration('analytics.network')) this.forgetRoutes();
      }),
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(proxySecretPrefix) || key === passphraseSecret) this.forgetRoutes();
      }),
      // Pins and files may have changed while another window was active.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.forgetRoutes()),
    );
  }

  /**
   * The route to `address`.
   * @throws {ClientError} of kind proxy or tls when the settings cannot be used.
   */
  async routeTo(address: string): Promise<Route> {
    const url = new URL(address);
    const known = this.#routes.get(url.origin);
    if (known) return known;
    const route = this.#find(url);
    this.#routes.set(url.origin, route);
    // Do not cache failures: the user may be fixing the cause.
    route.catch(() => this.#routes.delete(url.origin));
    return route;
  }

  /** The configured proxy for `address`, without reading its account. @throws {ClientError} of kind proxy. */
  proxyFor(address: string): ProxyTarget | undefined {
    const proxy = chooseProxy(address, proxySettings(), process.env);
    return proxy === 'none' ? undefined : proxy;
  }

  /** Trusts only the certificate with this fingerprint at the origin of `address`. */
  async pin(address: string, fingerprint: string): Promise<void> {
    await this.pins.set(new URL(address).origin, fingerprint);
    this.forgetRoutes();
  }

  /** Removes the pin, so that certificates at the origin of `address` are checked normally again. */
  async unpin(address: string): Promise<void> {
    await this.pins.delete(new URL(address).origin);
    this.forgetRoutes();
  }

  /** Saves the account for a proxy in secret storage; an account without a user name is deleted. */
  async keepProxyAccount({ url }: ProxyTarget, account: ProxyAccount): Promise<void> {
    if (account.userName === '') return this.forgetProxyAccount({ url });
    await this.#secrets.store(proxySecretPrefix + url, JSON.stringify(account));
    this.forgetRoutes();
  }

  /** Deletes the saved account for a proxy, if there is one. */
  async forgetProxyAccount({ url }: Pick<ProxyTarget, 'url'>): Promise<void> {
    await this.#secrets.delete(proxySecretPrefix + url);
    this.forgetRoutes();
  }

  /** Saves the passphrase of the client certificates' keys in secret storage; an empty one is deleted. */
  async keepPassphrase(passphrase: string): Promise<void> {
    if (passphrase === '') await this.#secrets.delete(passphraseSecret);
    else await this.#secrets.store(passphraseSecret, passphrase);
    this.forgetRoutes();
  }

  /** Clears the cached routes. */
  forgetRoutes(): void {
    this.#routes.clear();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #find(url: URL): Promise<Route> {
    const [tls, proxy] = await Promise.all([this.#tls(url), this.#proxy(url)]);
    const route = !tls && !proxy ? direct : { ...(tls && { tls }), ...(proxy && { proxy }) };
    const given = this.#given.get(url.origin);
    if (given && isDeepStrictEqual(given, route)) return given;
    this.#given.set(url.origin, route);
    return route;
  }

  async #proxy(url: URL): Promise<ProxyTarget | undefined> {
    const proxy = this.proxyFor(url.href);
    if (!proxy) return undefined;
    const { readProxyAccount } = await import('./networkSettings.ts');
    const kept = await withSecretStorage(url.host, () => this.#secrets.get(proxySecretPrefix + proxy.url));
    // An account that the user signed in with takes precedence over one in the setting.
    const credentials = readProxyAccount(kept);
    return credentials ? { ...proxy, credentials } : proxy;
  }

  async #tls(url: URL): Promise<TlsTarget | undefined> {
    if (url.protocol !== 'https:') return undefined;
    const { clientCertificateFor } = await import('./networkSettings.ts');
    const setting = userValue('analytics.network', 'extraCaFile');
    const extraCaFile = typeof setting === 'string' ? setting.trim() : '';
    const files = clientCertificateFor(url.origin, userValue('analytics.network', 'clientCertificates'));
    const [extraCa, clientCertificate] = await Promise.all([
      extraCaFile === '' ? undefined : readPem(extraCaFile, url.host, 'analytics.network.extraCaFile'),
      this.#clientCertificate(files, url.host),
    ]);
    const pinnedFingerprint = this.pins.get(url.origin)?.fingerprint;
    return {
      ...(extraCa !== undefined && { extraCa }),
      ...(clientCertificate && { clientCertificate }),
      ...(pinnedFingerprint !== undefined && { pinnedFingerprint }),
    };
  }

  async #clientCertificate(
    files: ClientCertificateFiles | undefined,
    host: string,
  ): Promise<TlsTarget['clientCertificate']> {
    if (!files) return undefined;
    const setting = 'analytics.network.clientCertificates';
    const [certificate, key, passphrase] = await Promise.all([
      readPem(files.certificate, host, setting),
      readPem(files.key, host, setting),
      withSecretStorage(host, () => this.#secrets.get(passphraseSecret)),
    ]);
    return { certificate, key, ...(passphrase !== undefined && { passphrase }) };
  }
}

/** The user's value of a setting; the workspace's value is ignored. */
function userValue(section: string, key: string): unknown {
  const found = vscode.workspace.getConfiguration(section).inspect(key);
  return found?.globalValue ?? found?.defaultValue;
}

function proxySettings(): ProxySettings {
  const [proxy, noProxy, proxySupport, proxyAuthorization] = [
    'proxy',
    'noProxy',
    'proxySupport',
    'proxyAuthorization',
  ].map((key) => userValue('http', key));
  return {
    ...(typeof proxy === 'string' && { proxy }),
    ...(Array.isArray(noProxy) && { noProxy: noProxy.filter((entry) => typeof entry === 'string') }),
    ...(typeof proxySupport === 'string' && { proxySupport }),
    ...(typeof proxyAuthorization === 'string' && { proxyAuthorization }),
  };
}

/** @throws {ClientError} of kind tls naming file and setting. */
async function readPem(file: string, server: string, setting: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ClientError(
      'tls',
      vscode.l10n.t('Cannot read the file {0}, which is needed to connect to {1}.', file, server),
      {
        server,
        reason: 'badCertificateFile',
        remedy: vscode.l10n.t('Correct {0} in the settings.', setting),
        isUnsent: true,
        cause,
      },
    );
  }
}
