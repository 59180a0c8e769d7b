import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Prompt, reportMetadata, type ReportMetadata } from '../../../src/contract/resources/report.ts';
import { reportResult } from '../../../src/contract/resources/reportResult.ts';
import { newCriteria } from '../../../src/server/reports/reportTemplates.ts';
import { reportOf, Scene } from '../../support/matrix/scene.ts';

/* A value that is no answer to its prompt is said in that prompt, and the report then fails instead of running without it. */

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** A report of the tenant's that asks for amounts, prepared to run. */
async function asking(Op: string, more: object = {}): Promise<ReportMetadata> {
  const report = reportOf(scene.tenants.own, scene.name('own'));
  const asks = { ...newCriteria(null), Field: 'Amount', Op, Logical: 'AND', bprompt: true, bskip: false, ...more };
  const FieldList = (report.FieldList as { DbFieldName: string }[]).map((field) => ({
    ...field,
    Criteria: field.DbFieldName === 'amount' ? [asks] : [],
  }));
  const saved = await scene.ask('Report/SaveReport', { report: { ...report, FieldList }, processlinks: true });
  return reportMetadata.parse(await scene.ask('Report/GetReportMetadataById', { ReportID: saved.ReportID }));
}

async function answered(metadata: ReportMetadata, change: Partial<Prompt>, isSingle: boolean): Promise<ReportMetadata> {
  const { call } = scene.person('viewer');
  const sent = { ...metadata.Prompts?.[0], ...change };
  const reply = isSingle
    ? await call('Report/ReplacePrompt', { Reportobj: metadata, Prompt: sent })
    : await scene.server.call('Report/ReplacePromptCollection', { Reportobj: metadata, Prompts: [sent] });
  return reportMetadata.parse(reply.json);
}

async function run(Reportobj: ReportMetadata, more: object = {}) {
  const { json } = await scene.person('viewer').call('Report/GetReportData', { Reportobj, ...more });
  return { ...reportResult.parse(json), rows: (json as { Data: unknown[] }).Data.length };
}

const wrong: [string, object, Partial<Prompt>, string][] = [
  ['>', {}, { LowValue: 'many' }, 'is not a number'],
  ['like', {}, { LowValue: '1%' }, 'compare text only'],
  ['between', { Value1: '1', Value2: '2' }, { LowValue: '2', HighValue: '1' }, 'below its LowValue'],
  ['=', { Value1: '1' }, { isSkipped: true }, 'may not be skipped'],
  ['=', { bskip: true }, { LowValue: 'x' }, 'is not a number'],
];

describe.each([
  ['ReplacePromptCollection', false],
  ['ReplacePrompt', true],
])('%s', (_, isSingle) => {
  it.each(wrong)('says in the prompt what is wrong, and nothing runs: %s %o', async (op, row, change, message) => {
    const metadata = await answered(await asking(op, row), change, isSingle);
    expect(metadata.Prompts).toMatchObject([{ HasError: true, ErrorCode: 9001 }]);
    expect(metadata.Prompts?.[0]?.ErrorMessage).toContain(message);
    const told = await run(metadata);
    expect(told).toMatchObject({ HasError: true, ErrorCode: 0, rows: 0 });
    expect(told.ErrorMessage).toContain(message);
    // Clients may send the report alone, or clear the mark.
    for (const Prompts of [null, metadata.Prompts?.map((prompt) => ({ ...prompt, HasError: false })) ?? null]) {
      expect(await run({ ...metadata, Prompts })).toMatchObject({ HasError: true, rows: 0 });
    }
    expect(await run(metadata, { supressprompts: true }), 'asked for without prompts').toMatchObject({ rows: 2 });
  });

  it('runs with a value that answers the prompt, after one that did not', async () => {
    const refused = await answered(await asking('>'), { LowValue: 'many' }, isSingle);
    const right = await answered(refused, { LowValue: '1' }, isSingle);
    expect(right.Prompts).toMatchObject([{ HasError: false, ErrorCode: 0, ErrorMessage: null }]);
    expect(await run(right)).toMatchObject({ HasError: false, rows: 1 });
  });
});
