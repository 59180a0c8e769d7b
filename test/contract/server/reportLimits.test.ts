import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Json, Scene } from '../../support/matrix/scene.ts';

/* Instance settings that limit reports, and what running one leaves behind. */

let scene: Scene;
let metadata: Json;
beforeAll(async () => {
  scene = await Scene.open();
  metadata = await scene.metadata('own');
}, 60_000);
afterAll(() => scene.close());

async function withSettings(change: Json, check: () => Promise<void>): Promise<void> {
  const settings = await scene.ask('AppSettings/GetAppSettings');
  await scene.ask('AppSettings/SaveAppSettings', { appsettings: { ...settings, ...change } });
  try {
    await check();
  } finally {
    await scene.ask('AppSettings/SaveAppSettings', { appsettings: settings });
  }
}

const run = async (Reportobj: Json = metadata) =>
  (await scene.ask('Report/GetReportData', { Reportobj, supressprompts: true })).Data;

describe('reports and the instance settings', () => {
  it('give at most MaxRecords rows', async () => {
    expect(await run()).toHaveLength(3);
    await withSettings({ MaxRecords: 2 }, async () => expect(await run()).toHaveLength(2));
  });

  it('offer at most PROMPT_VALUES_LIMIT values for a prompt', async () => {
    const [Prompt] = z.array(z.looseObject({})).parse(metadata.Prompts);
    const values = () => scene.list('Report/GetFieldValues', { Reportobj: metadata, Prompt });
    expect(await values()).toHaveLength(3);
    await withSettings({ PROMPT_VALUES_LIMIT: 1 }, async () => expect(await values()).toHaveLength(1));
  });

  it('offer the values of a number as text, which is what a prompt takes', async () => {
    const { Report } = z
      .looseObject({ Report: z.looseObject({ FieldList: z.array(z.looseObject({})) }) })
      .parse(metadata);
    const PromptField = Report.FieldList.find(({ DbFieldName }) => DbFieldName === 'amount');
    const offered = async (Formula: string) => {
      const Prompt = { PromptField: { ...PromptField, Formula } };
      return scene.list('Report/GetFieldValues', { Reportobj: metadata, Prompt });
    };
    const texts = (...values: string[]) => values.map((value) => ({ key: value, val: value }));
    expect(await offered('')).toEqual(texts('1', '2', '4'));
    expect(await offered('? * 2.5')).toEqual(texts('2.5', '5', '10'));
    const exact = texts('9007199254740993', '9007199254740994', '9007199254740996');
    expect(await offered('? + 9007199254740992')).toEqual(exact);
  });

  it('take prompt values by position and without a session', async () => {
    const answered = z
      .array(z.looseObject({}))
      .parse(metadata.Prompts)
      .map((prompt) => ({ ...prompt, LowValue: 'a' }));
    const reply = await scene.server.call('Report/ReplacePromptCollection', { Reportobj: metadata, Prompts: answered });
    const result = await scene.ask('Report/GetReportData', { Reportobj: reply.json });
    expect(result.Data).toEqual([{ Tenant: 'North', Amount: 1, Note: 'a' }]);
    const tooFew = await scene.server.call('Report/ReplacePromptCollection', { Reportobj: metadata, Prompts: [] });
    expect(tooFew.text).toMatch(/"ErrorCode":9001/);
  });
});
