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

/** The one Trino of a tier, which starts when the first file asks for it. */
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

/** Starting Trino takes many seconds: the files of a tier share one, and a run that does not use it starts none. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
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
  project.provide('sharedTrino', `http://127.0.0.1:${(front.address() as AddressInfo).port}`);
  return async () => {
    front.close();
    front.closeAllConnections();
    const found = await running?.catch(() => undefined);
    await found?.stop();
  };
}
