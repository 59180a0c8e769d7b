import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { isFull } from '../run/soakSize.ts';
import { canMakeCertificates, makeAuthority } from '../tls.ts';
import { postgresqlPrograms, startPostgresql } from './postgresqlServer.ts';
import type { DatabaseServer } from './serverProcess.ts';
import { startTrino } from './trinoServer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that answers with a {@link SharedTrino} as JSON. */
    sharedTrino: string;
  }
}

/** The one Trino of a run or a tier, which starts when the first file asks for it. */
export interface SharedTrino {
  port: number;
  httpsPort: number;
  /** The server behind the catalog `postgresql`. */
  postgresql: Omit<DatabaseServer, 'stop'>;
}

interface Running extends SharedTrino {
  stop: () => Promise<void>;
}

async function start(): Promise<Running | undefined> {
  if (!postgresqlPrograms()) return undefined;
  const postgresql = await startPostgresql();
  const authority = canMakeCertificates ? await makeAuthority() : undefined;
  try {
    const node = await startTrino({ postgresql, certificate: await authority?.make(), isOptimized: isFull });
    if (!node) {
      await postgresql.stop();
      return undefined;
    }
    const stop = async () => void (await Promise.all([node.stop(), postgresql.stop()]));
    return { port: node.port, httpsPort: node.httpsPort, postgresql, stop };
  } catch (error) {
    await postgresql.stop();
    throw error;
  } finally {
    await authority?.remove();
  }
}

/** An address that starts Trino when it is first asked, and how to end what it started. */
export interface TrinoFront {
  url: string;
  /** Safe to call again. */
  stop: () => Promise<void>;
}

/** Serves the address of Trino, which starts when a test asks for it: a run that does not use it starts none. */
export async function serveTrino(): Promise<TrinoFront> {
  let running: Promise<Running | undefined> | undefined;
  const front = createServer((_request, response) => {
    running ??= start();
    running.then(
      (found) => response.end(JSON.stringify(found ?? null)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const end = async () => {
    front.close();
    front.closeAllConnections();
    const found = await running?.catch(() => undefined);
    await found?.stop();
  };
  let ended: Promise<void> | undefined;
  return { url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, stop: () => (ended ??= end()) };
}

/** Variable that names the Trino of a whole run to its tiers: starting it takes many seconds of both processors. */
export const trinoVariable = 'ANALYTICS_STUDIO_TRINO';

/** Gives the files of a tier one Trino: that of the run, or their own. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const shared = process.env[trinoVariable];
  const own = shared === undefined ? await serveTrino() : undefined;
  project.provide('sharedTrino', shared ?? own?.url ?? '');
  return own?.stop;
}
