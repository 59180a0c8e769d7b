import http, { type ServerOptions } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded with `--import` before a server under test: the timeouts that it sets for its clients pass five times as fast. What it
 * does not set keeps Node's own value, which is far longer.
 */

const timesFaster = 5;

const names = ['headersTimeout', 'requestTimeout', 'connectionsCheckingInterval'] as const;
const { createServer } = http;

function createImpatient(options: ServerOptions, listener: http.RequestListener): http.Server {
  const shorter: ServerOptions = { ...options };
  for (const name of names) {
    const value = options[name];
    if (value !== undefined) shorter[name] = value / timesFaster;
  }
  return createServer(shorter, listener);
}

http.createServer = createImpatient as typeof createServer;
syncBuiltinESMExports();
