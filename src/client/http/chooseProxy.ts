import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { ClientError } from '../clientError.ts';
import type { ProxyTarget } from './target.ts';
import * as l10n from '../../l10n/l10n.ts';

/** The editor's proxy settings: `http.proxy`, `http.noProxy`, `http.proxySupport`, `http.proxyAuthorization`. */
export interface ProxySettings {
  proxy?: string;
  noProxy?: readonly string[];
  proxySupport?: string;
  /** Value of the `Proxy-Authorization` header. */
  proxyAuthorization?: string;
}

/** Environment variables, for example `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for `address`: from the editor's settings, else from the environment. Local addresses always
 * connect directly, as do hosts in `http.noProxy` or `NO_PROXY`, and all hosts when `http.proxySupport` is `off`.
 * @throws {ClientError} of kind proxy when the configured value is not an http(s) address: bypassing it would be wrong.
 */
export function chooseProxy(address: string, settings: ProxySettings, environment: Environment): ProxyTarget | 'none' {
  const url = new URL(address);
  if (settings.proxySupport === 'off' || isLoopback(url.hostname)) return 'none';
  const chosen = settings.proxy?.trim() || environmentProxy(url, environment);
  if (!chosen) return 'none';
  const exceptions = settings.noProxy?.length ? settings.noProxy : variable(environment, 'NO_PROXY').split(/[\s,]+/);
  if (isExcepted(url, exceptions)) return 'none';
  const authorization = settings.proxyAuthorization?.trim();
  return { ...parseProxy(chosen, url.host), ...(authorization && { authorization }) };
}

/**
 * Whether an entry of `exceptions` matches the host of `url`: `*`, a name (which covers subdomains, with or without a
 * leading dot or `*.`), an address, a range such as `10.0.0.0/8`, or `<local>` for names without a dot. All except
 * ranges may end in `:port` and start with `https://`.
 */
export function isExcepted(url: URL, exceptions: readonly string[]): boolean {
  const host = bareHost(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return exceptions.some((entry) => matches(entry.trim().toLowerCase(), host, port));
}

function matches(given: string, host: string, port: string): boolean {
  const entry = given.replace(/^https?:\/\//, '').replace(/\/$/, '');
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry === '<local>') return isIP(host) === 0 && !host.includes('.');
  if (entry.includes('/')) return isInRange(entry, host);
  const [, bracketed, plain, entryPort] = /^(?:\[([^\]]+)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const name = plainAddress((bracketed ?? plain ?? '').replace(/^\*?\./, '').replace(/\.$/, ''));
  if (name === '') return false;
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
}

/** Normalizes an IPv6 address to its spelling in URLs; returns anything else unchanged. */
function plainAddress(name: string): string {
  return isIPv6(name) && URL.canParse(`http://[${name}]`) ? bareHost(new URL(`http://[${name}]`).hostname) : name;
}

function isInRange(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const prefix = Number(bits);
  if (isIP(host) === 0 || isIP(network) !== isIP(host) || !/^\d+$/.test(bits)) return false;
  if (prefix > (isIPv4(network) ? 32 : 128)) return false;
  const family = isIPv4(network) ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(network, prefix, family);
  return range.check(host, family);
}

function environmentProxy(url: URL, environment: Environment): string {
  const names = url.protocol === 'https:' ? ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] : ['HTTP_PROXY', 'ALL_PROXY'];
  return names.map((name) => variable(environment, name)).find((value) => value !== '') ?? '';
}

/** Both upper and lower case are in use; the older lower-case name wins. */
function variable(environment: Environment, name: string): string {
  return (environment[name.toLowerCase()] || environment[name] || '').trim();
}

function parseProxy(text: string, server: string): ProxyTarget {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || !url.hostname) {
    throw new ClientError('proxy', l10n.t('The configured proxy is not an http or https address.'), {
      server,
      reason: 'badProxy',
      remedy: l10n.t('Correct http.proxy in the settings, or the environment variables HTTP_PROXY and HTTPS_PROXY.'),
      isUnsent: true,
    });
  }
  if (!url.username && !url.password) return { url: url.origin };
  const credentials = { userName: decoded(url.username), password: decoded(url.password) };
  return { url: url.origin, credentials };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign in a password is literal.
    return text;
  }
}

function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname);
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
