import { createServer, request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A forward proxy on loopback. */
export interface ProxyServer {
  url: string;
  /** What was asked of it: `CONNECT host:port` or `POST http://…`. */
  asked: string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy that tunnels and forwards.
 * @param rules `token` is the `Proxy-Authorization` it wants; `refusal` the status it answers everything with;
 * `isHere` takes every name of a tunnel for this machine.
 */
export async function startProxy(
  rules: { token?: string; refusal?: number; isHere?: boolean } = {},
): Promise<ProxyServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const statusFor = (token: string | undefined) =>
    rules.token !== undefined && token !== rules.token ? 407 : (rules.refusal ?? 200);
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const status = statusFor(incoming.headers['proxy-authorization']);
    if (status !== 200) {
      incoming.resume();
      response.writeHead(status).end();
      return;
    }
    const { 'proxy-authorization': _token, ...headers } = incoming.headers;
    const outgoing = request(incoming.url ?? '', { method: incoming.method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (incoming, client: Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    const status = statusFor(incoming.headers['proxy-authorization']);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${incoming.url}`);
    const target = connect({ host: rules.isHere ? '127.0.0.1' : hostname, port: Number(port || 80) }, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    for (const [end, other] of [
      [client, target],
      [target, client],
    ] as const) {
      end.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
