import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Server, type Socket } from 'node:net';
import type { PublicListening } from './listening.ts';

/** Where a request comes from: its source, or why it is refused. */
export type Peer = { source: string | undefined } | { refusal: string };

/**
 * Returns where a request comes from. `source` is what one client cannot change at will: an IPv4 address, or the network
 * of an IPv6 address, since a client owns all addresses of its network. Undefined on loopback, where all share one.
 *
 * Only the proxy's own headers count: of a list, the last entry, because the proxy appends it and a client may have sent
 * the others. The name of the host is taken from Host alone: a page in a browser can set X-Forwarded-Host.
 */
export function findPeer(request: IncomingMessage, listening: PublicListening | undefined): Peer {
  if (!listening) return { source: undefined };
  const { proxy, publicUrl } = listening;
  const address = plainAddress(request.socket.remoteAddress ?? '');
  if (proxy === undefined) return { source: networkOf(address) };
  if (address !== plainAddress(proxy)) {
    return { refusal: `This server answers to its proxy only. Use ${publicUrl.origin}.` };
  }
  if (lastEntry(request, 'x-forwarded-proto')?.toLowerCase() !== 'https') {
    return { refusal: `The connection is not encrypted: X-Forwarded-Proto is not https. Use ${publicUrl.origin}.` };
  }
  const client = withoutPort(lastEntry(request, 'x-forwarded-for') ?? '');
  if (isIP(client) === 0) {
    return { refusal: 'The proxy does not name its client: configure it to add X-Forwarded-For.' };
  }
  return { source: networkOf(plainAddress(client)) };
}

/** Connections of all clients at once. */
const mostConnections = 1_000;
/** Connections of one source: enough for an office behind one address, and too few to keep others out. */
export const mostOfSource = 250;

/** Limits connections; those of the proxy, which speaks for many clients, only in total. */
export function limitConnections(server: Server, listening: PublicListening | undefined): void {
  server.maxConnections = mostConnections;
  if (!listening) return;
  const proxy = listening.proxy === undefined ? undefined : plainAddress(listening.proxy);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (address === proxy) return;
    const source = networkOf(address);
    const count = (open.get(source) ?? 0) + 1;
    if (count > mostOfSource) {
      socket.destroy();
      return;
    }
    open.set(source, count);
    socket.once('close', () => {
      const left = (open.get(source) ?? 1) - 1;
      if (left > 0) open.set(source, left);
      else open.delete(source);
    });
  });
}

function lastEntry({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return (Array.isArray(value) ? value.at(-1) : value)?.split(',').at(-1)?.trim();
}

/** Some proxies add the client's port. */
function withoutPort(text: string): string {
  const found = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(text);
  return found?.groups?.v6 ?? found?.groups?.v4 ?? text;
}

const mappedV4 = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/;

/** The shortest spelling, without zone; an IPv4 address for one that is mapped into IPv6. */
function plainAddress(text: string): string {
  const address = text.replace(/%.*$/, '');
  if (!isIPv6(address)) return address;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = mappedV4.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const [one, other] = [parseInt(high, 16), parseInt(low, 16)];
  return [one >> 8, one & 255, other >> 8, other & 255].join('.');
}

/** The first 64 bits of an IPv6 address; an IPv4 address as it is. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [start = '', end] = address.split('::');
  const groups = start === '' ? [] : start.split(':');
  if (end !== undefined) {
    const rest = end === '' ? [] : end.split(':');
    groups.push(...new Array<string>(8 - groups.length - rest.length).fill('0'), ...rest);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
