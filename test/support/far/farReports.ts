import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import type { Connection } from '../../../src/connections/connection.ts';
import type { ResultsSnapshot } from '../../../src/contract/pages/resultsPage.ts';
import { buildReport } from '../../../src/features/builder/commands.ts';
import type { BuilderContract } from '../../../src/features/builder/pageContract.ts';
import { ReportBuilder } from '../../../src/features/builder/reportBuilder.ts';
import { findReports } from '../../../src/features/documents/language/findReports.ts';
import { RunHistory } from '../../../src/features/reports/history/runHistory.ts';
import { ReportRunner } from '../../../src/features/reports/run/reportRunner.ts';
import { SqlPreview } from '../../../src/features/reports/sql/sqlPreview.ts';
import { importUsers } from '../../../src/features/userImport/importUsers.ts';
import type { ImportSnapshot } from '../../../src/features/userImport/pageContract.ts';
import type { CommandScene } from '../commandScene.ts';
import { Uri } from '../vscode/basics.ts';
import { customEditors, documents } from '../vscode/documents.ts';
import { dismiss, person } from '../vscode/person.ts';
import { closePanels, panels, WebviewPanel } from '../vscode/webviews.ts';
import type { FarPerson } from './farGestures.ts';

const viewType = 'analytics.builder';

/** Gestures with reports and imports on a far server. The pages of their panels are not drawn. */
export class FarReports {
  readonly #far: FarPerson;
  readonly #scene: CommandScene;
  readonly #connection: Connection;
  readonly #sql: SqlPreview;
  readonly #runner: ReportRunner;
  readonly #builder: ReportBuilder;
  readonly #builders: WebviewPanel[] = [];

  constructor(far: FarPerson, scene: CommandScene, connection: Connection) {
    this.#far = far;
    this.#scene = scene;
    this.#connection = connection;
    const { connections, workspaceState: state, globalState: values, services } = scene;
    const { extensionUri } = services.context;
    this.#sql = new SqlPreview(connections);
    this.#runner = new ReportRunner({ connections, sql: this.#sql, history: new RunHistory(), extensionUri, values });
    this.#builder = new ReportBuilder({
      ...{ connections, extensionUri, state, refreshSql: () => undefined },
      ...{ preview: async () => undefined, showSql: async () => undefined },
    });
    customEditors.set(viewType, (document) => {
      const panel = new WebviewPanel(viewType, '');
      this.#builders.push(panel);
      this.#builder.open(document as unknown as vscode.TextDocument, panel as unknown as vscode.WebviewPanel);
      return panel;
    });
  }

  /** Makes every gesture once. */
  async work(): Promise<void> {
    await this.#far.gesture('open the builder', () => this.#build('Routes'));
    documents.closeAll();
    await this.#run();
    const { connectionId, reportId } = this.#target('Delays by State');
    const uri = Uri.parse(`analytics-sql://${connectionId}/${reportId}/Delays.sql`) as unknown as vscode.Uri;
    await this.#far.gesture('show SQL', async () => void (await this.#sql.provideTextDocumentContent(uri)));
    await this.#find();
    await this.#import();
    closePanels();
  }

  async #build(name: string): Promise<void> {
    await buildReport(this.#scene.services, this.#far.row('report', name));
    const panel = this.#builders.at(-1);
    if (!panel) throw new Error('No builder was opened.');
    for (let kind = ''; kind !== 'ready';) {
      ({ kind } = ((await panel.ask('ready')) as BuilderContract['requests']['ready']['answer']).ground);
      if (kind === 'failed') throw new Error(`The builder of ${name} has no fields.`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  #target(name: string) {
    const { connection, ...node } = this.#far.row('report', name);
    if (!('item' in node)) throw new Error(`${name} is no report.`);
    return { connectionId: connection.id, reportId: node.item.itemId, name: node.item.name };
  }

  async #run(): Promise<void> {
    await this.#runner.run(this.#target('Flights by Date and State'));
    const panel = panels.at(-1);
    const shown = async () => (await panel?.ask('ready')) as ResultsSnapshot;
    const { form } = await shown();
    if (!form) throw new Error('The report asks for nothing.');
    const values = form.values.map((value, index) =>
      index === 0
        ? { ...value, low: '2001-01-01', high: '2001-01-31', isSkipped: false }
        : { ...value, isSkipped: true },
    );
    await this.#far.gesture('run with answered prompts', async () => {
      const problems = await panel?.ask('submitPrompts', values);
      if (!Array.isArray(problems) || problems.length > 0) throw new Error(JSON.stringify(problems));
      for (let kind = ''; !['done', 'failed', 'empty'].includes(kind);) {
        ({ kind } = (await shown()).state.phase);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    });
    closePanels();
  }

  async #find(): Promise<void> {
    const { id } = this.#connection;
    await this.#far.expand(`${id}/semanticLayer`);
    for (const kind of ['application', 'registeredServer', 'reportType', 'fieldFolder'])
      await this.#far.expandAll(kind);
    await this.#far.gesture('find the reports that use a field', async () => {
      let shown = false;
      person.answers('Reports that use', () => {
        shown = true;
        return dismiss;
      });
      await findReports(this.#scene.services, this.#far.row('field'));
      if (!shown) throw new Error('No reports were found.');
    });
  }

  async #import(): Promise<void> {
    const rows = Array.from(
      { length: 20 },
      (_, index) => `far.import${index},Far,Of their own ${index + 10},Far Group`,
    );
    const file = path.join(this.#scene.folder, 'users.csv');
    await writeFile(file, ['LoginName,LastName,Password,Groups', ...rows].join('\n'));
    person.answers('Users to import', file);
    await importUsers(this.#scene.services, this.#scene.services.tree.serverNode(this.#connection));
    const panel = panels.at(-1);
    const shown = async () => (await panel?.ask('ready')) as ImportSnapshot;
    await this.#far.gesture('import of 20 users', async () => {
      person.mayAnswer('Import 20 users', 'Import');
      await panel?.ask('import');
      for (let done = 0; done < rows.length;) {
        const { rows: now, state } = await shown();
        if (state.fault !== '' || now.some(({ look }) => look === 'failed')) throw new Error(JSON.stringify(state));
        done = now.filter(({ look }) => look === 'done').length;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
  }

  close(): void {
    customEditors.delete(viewType);
    this.#builder.dispose();
    this.#runner.dispose();
    this.#sql.dispose();
  }
}
