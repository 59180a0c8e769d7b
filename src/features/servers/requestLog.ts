import type * as vscode from 'vscode';
import type { RequestLogger } from '../../client/http/logger.ts';

/** Writes requests to the extension's log: endpoint, size, time and outcome, never the content. */
export function requestLog(log: vscode.LogOutputChannel): RequestLogger {
  return {
    request: ({ id, server, endpoint, ms, bytes, outcome }) => {
      const line = `#${id} ${server} ${endpoint} ${ms} ms ${bytes} bytes ${outcome}`;
      if (outcome === 'ok' || outcome === 'cancelled') log.debug(line);
      else log.warn(line);
    },
  };
}
