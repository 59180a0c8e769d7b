import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { AnalyticsStudioApi } from '../../src/features/reports/run/publishedApi.ts';
import { publishedApi } from '../../src/lazyReports.ts';
import { openHostWindow, SharedSecrets, SharedState, type HostWindow } from '../support/hostWindow.ts';
import { waitFor } from '../support/waitFor.ts';

describe('what other extensions get', function () {
  this.timeout(60_000);
  let folder: string;
  const secrets = new SharedSecrets();
  let window: HostWindow;
  let api: AnalyticsStudioApi;
  let connectionId: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-api-'));
    window = openHostWindow({ folder, secrets, state: new SharedState() });
    connectionId = (await window.connections.addLocal('Local Server')).id;
    api = publishedApi(window.connections);
  });
  after(async () => {
    await window.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function reportNamed(name: string): Promise<string> {
    const report = (await api.findReports(connectionId, name)).find((each) => each.name === name);
    assert.ok(report, `There is no report ${name}`);
    return report.id;
  }

  it('is returned by the activation', async () => {
    const extension = vscode.extensions.getExtension<AnalyticsStudioApi>('analytics-studio.analytics-studio');
    const published = await extension?.activate();
    assert.equal(published?.version, 1);
    assert.ok(Array.isArray(published.connections()));
  });

  it('names connections without their addresses or secrets', () => {
    const [only, ...others] = api.connections();
    assert.deepEqual(Object.keys(only ?? {}).sort(), ['id', 'isSignedIn', 'name', 'userName']);
    assert.deepEqual(others, []);
  });

  it('finds a report and runs it', async () => {
    const result = await api.runReport(connectionId, await reportNamed('Number of Flights'));
    assert.equal(result.rowCount, 1);
    assert.deepEqual(result.rows(0, 9), [[3_000_000]]);
  });

  it('runs a report with answers to its prompts, and says which it lacks', async () => {
    const report = await reportNamed('Flights from an Airport');
    const prompts = await api.promptsOf(connectionId, report);
    assert.deepEqual(prompts.map(({ label }) => label).slice(0, 1), ['Origin']);
    const result = await api.runReport(connectionId, report, { answers: [{ low: 'BDL' }] });
    const origin = result.columns.findIndex(({ key }) => key === 'origin');
    assert.ok(origin >= 0);
    assert.deepEqual(new Set(result.rows(0, 100).map((row) => row[origin])), new Set(['BDL']));
    await assert.rejects(api.runReport(connectionId, report), /needs an answer to "Origin"/);
  });

  it('uses the session that the user has, and begins none with a kept password', async () => {
    const { connections, localServer } = window;
    const { apiBase } = await localServer.ensureRunning();
    const password = (await localServer.password()) ?? '';
    const remote = connections.draft({
      ...{ name: 'Remote', kind: 'remote', apiBase, installationId: '', userName: 'admin', isGuest: false },
    });
    await remote.signIn({ userName: 'admin', password, isGuest: false }, true);
    await connections.save(remote);
    assert.ok((await api.findReports(remote.id, 'Number of Flights')).length > 0);
    // As a session that is gone and was not signed out of: the next call of the extension itself would renew it.
    await secrets.delete(`analytics.session.${remote.id}`);
    await waitFor('the session to be gone', async () => remote.state.kind === 'signedOut');
    const before = window.count('login/DoLogin');
    await assert.rejects(api.findReports(remote.id, ''), /not signed in to Remote/);
    await assert.rejects(api.runReport(remote.id, '1'), /not signed in to Remote/);
    assert.equal(window.count('login/DoLogin'), before);
    await (await remote.client()).call('Contact/GetRolesList', {});
    assert.equal(window.count('login/DoLogin'), before + 1);
    assert.ok((await api.findReports(remote.id, 'Number of Flights')).length > 0);
    await connections.remove(remote);
  });

  it('says which connection or report there is not', async () => {
    await assert.rejects(api.findReports('nowhere', ''), /no connection with the id "nowhere"/);
    await assert.rejects(api.runReport(connectionId, '999999'), /Local Server/);
  });
});
