import { afterEach, describe, expect, it } from 'vitest';
import type { AnalyticsClient } from '../../../../../src/client/client.ts';
import { reportCalls } from '../../../../../src/features/reports/run/reportCalls.ts';
import { handled, startScriptedServer } from '../../../../support/scriptedServer.ts';
import type { Script, ScriptedServer } from '../../../../support/scriptedServer.ts';
import { prompt } from '../prompts/prompts.ts';
import { testClient } from '../../../../support/testClient.ts';

const { signal } = new AbortController();
const metadata = { Report: { ReportID: '7' }, Prompts: [] };
const prompts = [prompt({ LowValue: 'CA' }), prompt({ name: 'Delay', LowValue: '5' })];

describe('putting prompt values into a report', () => {
  let server: ScriptedServer;
  let client: AnalyticsClient;
  afterEach(async () => {
    await client.close();
    await server.close();
  });

  async function answer(replies: Record<string, Script>) {
    server = await startScriptedServer((request, response) => {
      if (request.path.endsWith('login/DoLogin')) return { ErrorCode: 0, LoginSession: { SessionToken: 't' } };
      return replies[request.path.split('/').at(-1) ?? '']?.(request, response);
    });
    client = testClient(`${server.url}/api`, { userName: 'ada', password: 'x' });
    return reportCalls(async () => client).answer(metadata, prompts, signal);
  }

  const calls = () =>
    server.requests.map(({ path }) => path.split('/').at(-1)).filter((name) => name?.startsWith('Replace'));
  const reply = (report: object) => ({ Report: { ErrorCode: 0, ...report }, Prompts: null });
  const countUp: Script = ({ body }) => {
    const { Report: report } = body.Reportobj as { Report: { count?: number } };
    return reply({ ReportID: '7', count: (report.count ?? 0) + 1 });
  };

  it('takes one call for all of them', async () => {
    const answered = await answer({ ReplacePromptCollection: () => reply({ ReportID: '7', all: true }) });
    expect(answered.Report).toMatchObject({ all: true });
    expect(server.requests.at(-1)?.body).toEqual({ Reportobj: metadata, Prompts: prompts });
    expect(calls()).toEqual(['ReplacePromptCollection']);
  });

  it.each<[string, Script]>([
    ['has no such call', (_, response) => (response.writeHead(404).end(), handled)],
    ['wants a token for it', () => ({ ErrorCode: 101, ErrorMessage: 'Session Expired' })],
    ['answers nothing', () => undefined],
    ['answers without a report', () => ({ Prompts: null })],
  ])('takes one call for each where the server %s', async (_, collection) => {
    const answered = await answer({ ReplacePromptCollection: collection, ReplacePrompt: countUp });
    expect(answered.Report).toMatchObject({ count: 2 });
    expect(server.requests.slice(-2).map(({ body }) => body.Prompt)).toEqual(prompts);
    expect(calls()).toEqual(['ReplacePromptCollection', 'ReplacePrompt', 'ReplacePrompt']);
  });

  it('says which prompt the server objects to', async () => {
    const Prompts = [{ HasError: false }, { HasError: true, ErrorCode: 9001, ErrorMessage: 'is not a number' }];
    const refusal = { ReplacePromptCollection: () => ({ Report: { ReportID: '7' }, Prompts }) };
    await expect(answer(refusal)).rejects.toMatchObject({ kind: 'refused', prompt: 1 });
    expect(calls()).toEqual(['ReplacePromptCollection']);
  });

  it('does not try again one by one what the server refuses', async () => {
    const refusal = { Report: { ErrorCode: 9001, ErrorMessage: 'State needs a value' } };
    await expect(answer({ ReplacePromptCollection: () => refusal })).rejects.toThrow('State needs a value');
    expect(calls()).toEqual(['ReplacePromptCollection']);
  });
});
