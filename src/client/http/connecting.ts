import { errors, type buildConnector } from 'undici';
import { ConnectingFailed } from './connectingFailed.ts';

/**
 * Bounds connecting as a whole, with the tunnel through a proxy, which undici leaves to wait for ever. What fails is told as
 * {@link ConnectingFailed}: undici would connect again, at once and without end, after a proxy that closes the connection.
 */
export function bounded(connector: buildConnector.connector, timeoutMs: number): buildConnector.connector {
  return (options, callback) => {
    const overdue = new AbortController();
    const timer = setTimeout(() => {
      overdue.abort();
      callback(new ConnectingFailed(new errors.ConnectTimeoutError(`no connection within ${timeoutMs} ms`)), null);
    }, timeoutMs);
    // The proxy agent hands the signal to its request for a tunnel.
    const withSignal: buildConnector.Options & { signal: AbortSignal } = { ...options, signal: overdue.signal };
    connector(withSignal, (...[error, socket]) => {
      if (overdue.signal.aborted) {
        socket?.destroy();
        return;
      }
      clearTimeout(timer);
      if (error) callback(new ConnectingFailed(error), null);
      else callback(null, socket);
    });
  };
}
