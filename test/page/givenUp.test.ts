import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsHost } from '../support/pages/resultsHost.ts';
import { dismiss, person } from '../support/vscode/person.ts';
import { readWorkbook } from '../support/readWorkbook.ts';
import { waitFor } from '../support/waitFor.ts';
import { result, startFaultyServer } from '../support/webview/faultyServer.ts';
import type { FaultyReport, FaultyServer } from '../support/webview/faultyServer.ts';
import { prompt } from '../unit/features/reports/prompts/prompts.ts';

const column = (key: string, yurbitype: string) => ({ key, headerText: key, yurbitype });
const manyRows = 200_000;

const reports: FaultyReport[] = [
  { name: 'Never Read', metadata: () => new Promise(() => undefined) },
  {
    name: 'Asks',
    prompts: [prompt({ name: 'City', isSkipable: true })],
    run: (_, { TargetReportobj, Reportobj }) => {
      const { Report: report } = (TargetReportobj ?? Reportobj) as { Report: { Asked?: string } };
      const rows = Array.from({ length: report.Asked == null ? manyRows : 3 }, (_row, n) => ({
        n,
        city: report.Asked,
      }));
      return result(rows, [column('n', 'num'), column('city', 'cha')]);
    },
  },
];

describe('a panel whose rows are exported and given up', () => {
  let host: ResultsHost;
  let server: FaultyServer;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'given-up-'));
    server = await startFaultyServer(reports);
    host = await ResultsHost.start({ server });
  });
  afterAll(async () => {
    await host.stop();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is cancelled while the server is asked for the report', async () => {
    const page = await host.run('Never Read');
    await page.frame.getByText('Loading report…').first().waitFor();
    await page.button('Cancel').click();
    await page.frame.locator('.notice').waitFor();
    expect(await page.frame.locator('.page').innerText()).not.toContain('Loading report…');
  });

  it('exports the rows that were shown, all of them, while it runs again with other values', async () => {
    const page = await host.run('Asks');
    await page.button('Run').click();
    await page.isDone(60_000);
    const file = path.join(folder, 'before.xlsx');
    person
      .answers('Export Asks', 'Excel')
      .answers('Export "Asks" as Excel', file)
      .answers('Exported 200,000 rows', dismiss);
    await page.button('Export').click();
    await expect.poll(() => person.texts('box')).toHaveLength(1);
    await page.button('Prompts').click();
    const city = page.frame.getByRole('combobox').first();
    await city.fill('Oslo');
    await city.press('Enter');
    await page.says(/^3 rows/);
    const bytes = await waitFor('the file', () => readFile(file).catch(() => undefined), 60_000);
    const [sheet] = readWorkbook(bytes);
    expect([sheet?.rows.length, sheet?.rows.at(-1)]).toEqual([manyRows + 1, [manyRows - 1]]);
    await expect.poll(() => page.column('city')).toEqual(['Oslo', 'Oslo', 'Oslo']);
  });
});
