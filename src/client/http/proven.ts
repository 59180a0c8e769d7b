import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** The same connector, which hands out a connection only after the other end has passed `prove`. */
export function proven(
  connector: buildConnector.connector,
  prove: (socket: Socket) => Promise<void>,
): buildConnector.connector {
  return (options, callback) => {
    connector(options, (...[error, socket]) => {
      if (error) {
        callback(error, null);
        return;
      }
      prove(socket).then(
        () => callback(null, socket),
        (failure: unknown) => callback(failure instanceof Error ? failure : new Error(String(failure)), null),
      );
    });
  };
}
