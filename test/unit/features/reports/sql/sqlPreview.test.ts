import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientError } from '../../../../../src/client/clientError.ts';
import { awaitServer, runWithSignal } from '../../../../../src/client/http/cancelScope.ts';
import type { ConnectionStore } from '../../../../../src/connections/connectionStore.ts';
import { withWaitNotice } from '../../../../../src/editor/progress.ts';
import { SqlPreview } from '../../../../../src/features/reports/sql/sqlPreview.ts';
import { documents, documentWorkspace } from '../../../../support/vscode/documents.ts';
import { Disposable } from '../../../../support/vscode/basics.ts';
import { person } from '../../../../support/vscode/person.ts';

/* The server answers when the test lets it: Show SQL shows that it waits, and can be cancelled. */

const target = { connectionId: 'shop', reportId: '7', name: 'Sales' };
let calls: { path: string; end: (reply: unknown) => void }[];
let preview: SqlPreview;
let registered: Disposable;

/** What the client of a server does: it reports its wait to the command, which can cancel it. */
function call(path: string): Promise<unknown> {
  return awaitServer(
    'Shop',
    undefined,
    (signal) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new ClientError('cancelled', 'Cancelled', { server: 'Shop' })));
        calls.push({ path, end: resolve });
      }),
  );
}

beforeEach(() => {
  calls = [];
  const connection = { name: 'Shop', client: async () => ({ target: { name: 'Shop' }, call }) };
  preview = new SqlPreview({ get: () => connection } as unknown as ConnectionStore);
  // The editor reads such a document as any other.
  registered = documentWorkspace.registerFileSystemProvider('analytics-sql', {
    stat: async () => ({ type: 1, ctime: 0, mtime: 0, size: 0 }),
    readFile: async (uri) => Buffer.from(await preview.provideTextDocumentContent(uri)),
    writeFile: () => undefined,
    onDidChangeFile: () => new Disposable(() => undefined),
  });
});

afterEach(() => {
  documents.closeAll();
  registered.dispose();
  preview.dispose();
  person.leave();
});

const asked = () => expect.poll(() => calls.map(({ path }) => path));

it('shows that it waits for the server, and opens nothing when it is cancelled', async () => {
  const stop = new AbortController();
  const showing = withWaitNotice(() => runWithSignal(stop.signal, () => preview.show(target)));
  await asked().toEqual(['Report/GetReportMetadataById']);
  stop.abort();
  await expect(showing).rejects.toMatchObject({ kind: 'cancelled' });
  expect(documents.open).toEqual([]);
});

it('reports its wait to the command, which offers Cancel', async () => {
  const showing = withWaitNotice(() => preview.show(target));
  await expect.poll(() => person.waits).toEqual(['$(loading~spin) Waiting for Shop']);
  await asked().toEqual(['Report/GetReportMetadataById']);
  calls[0]?.end({ Report: { Name: 'Sales' } });
  await asked().toContain('Report/GetSQL');
  for (const { path, end } of calls.slice(1)) end(path === 'Report/GetSQL' ? 'select 1' : []);
  await showing;
  expect(documents.active()?.getText()).toMatch(/select\s+1/i);
  expect(calls.filter(({ path }) => path === 'Report/GetSQL')).toHaveLength(1);
});
