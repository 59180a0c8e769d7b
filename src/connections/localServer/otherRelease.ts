import { localServerContract } from '../../contract/localServer.ts';
import * as l10n from '../../l10n/l10n.ts';
import { isOwnProcessAlive } from '../fileLock.ts';

/** This window: the release of the extension, such as `1.2.0`, and the name of the editor, such as `VS Code`. */
export interface WindowRelease {
  release: string;
  editor: string;
}

/** The last start of the local server on its data. */
export interface LastStart extends WindowRelease {
  /** Process id of the server. */
  pid: number;
  /** {@link localServerContract} of that server. */
  contract: number;
  /** Process id of the window that started it: a server stops when that window closes. */
  owner: number;
}

/**
 * Whether a window uses a running server or replaces it. Releases that keep no {@link LastStart} follow contract 1.
 * @throws {Error} when another window needs a server that this window cannot use, with what to update.
 */
export function useOrReplace(
  server: { pid: number },
  { last, own }: { last: LastStart | undefined; own: WindowRelease },
): 'use' | 'replace' {
  const starter = last?.pid === server.pid ? last : undefined;
  if (starter?.release === own.release) return 'use';
  if (starter && !isOwnProcessAlive(starter.owner)) return 'replace';
  if ((starter?.contract ?? 1) === localServerContract) return 'use';
  if (!starter || compareReleases(starter.release, own.release) < 0) {
    throw new Error(
      l10n.t(
        'Another window runs the local server of an earlier release ({0}), and this window needs release {1}. Reload the other window or update Analytics Studio in {2}, then try again.',
        starter?.release ?? '–',
        own.release,
        starter?.editor ?? own.editor,
      ),
    );
  }
  throw new Error(
    l10n.t(
      'Another window of {0} runs the local server of release {1}, which this window of release {2} cannot use. Reload this window or update Analytics Studio in this editor.',
      starter.editor,
      starter.release,
      own.release,
    ),
  );
}

/** The error of a start on data that the later release `newer` has upgraded; nothing was changed. */
export function newerDataError(
  newer: string,
  { last, own }: { last: LastStart | undefined; own: WindowRelease },
): Error {
  return new Error(
    l10n.t(
      'Release {0} of Analytics Studio, last started in {1}, has upgraded the data of the local server, and this window runs release {2}, which cannot read it. Nothing was changed. Reload this window or update Analytics Studio in this editor.',
      newer,
      last?.editor ?? own.editor,
      own.release,
    ),
  );
}

/** Compares releases such as `1.10.0` number by number: negative when `a` is earlier. */
function compareReleases(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
