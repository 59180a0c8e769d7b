import { readFile, rm } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { showInformationMessage, showWarningMessage } from '../../../editor/messages.ts';
import { showQuickPick } from '../../../editor/quickInput.ts';
import { displayText } from '../../../editor/displayText.ts';
import { withProgress } from '../../../editor/progress.ts';
import { exportFile, replaceFile, type ExportedFile, exportFormats, type ExportFormat } from './exportFile.ts';
import type { DerivedLines } from '../view/gridSource.ts';
import type { ExportSource } from './exportSource.ts';
import { askForFile } from './panelFiles.ts';

/** The data to export, and the contents of its details file. */
interface ExportOrder {
  source: ExportSource;
  /** What is shown instead of the rows, if anything. */
  derived?: DerivedLines;
  /** Whether a chart is available to save as a picture. */
  hasPicture: boolean;
  /** Details of the run, requested only when needed. They include what the server does not provide. */
  details: () => Promise<object>;
}

/** What the user chose to export. */
interface Wanted {
  rows: number;
  placeHolder: string;
  make(signal: AbortSignal): Promise<ExportSource | undefined>;
}

interface FormatItem extends vscode.QuickPickItem {
  format?: ExportFormat;
  picture?: 'png' | 'svg';
}

/**
 * Asks for a format and a file, and writes the rows with progress. Does not run the report again.
 * @returns the picture format if the user chose a picture instead of the rows; undefined otherwise.
 * @throws file system errors that name the file.
 */
export async function exportResult(order: ExportOrder): Promise<'png' | 'svg' | undefined> {
  const { source } = order;
  const title = displayText(source.title);
  const pictures: FormatItem[] = [
    { label: vscode.l10n.t('Chart as PNG'), picture: 'png' },
    { label: vscode.l10n.t('Chart as SVG'), picture: 'svg' },
  ];
  const wanted = await chooseRows(order);
  if (wanted === undefined) return undefined;
  const items = exportFormats.map((format): FormatItem => ({
    label: format.name,
    description: format.id === 'csvWithMark' ? vscode.l10n.t('.csv that Excel reads as UTF-8') : `.${format.extension}`,
    format,
  }));
  const chosen = await showQuickPick([...(order.hasPicture ? pictures : []), ...items], {
    title: vscode.l10n.t('Export {0}', title),
    placeHolder: wanted.placeHolder,
  });
  if (chosen?.format === undefined) return chosen?.picture;
  const { format } = chosen;
  const file = await askForFile(source.title, format.extension, format.name);
  if (file === undefined) return undefined;
  const exported = await exportTo({ title, format, file }, order, wanted);
  if (exported !== undefined) await offerFile(file, wanted.rows, exported.cut);
  return undefined;
}

/** The rows to export. If something else is shown instead of them, the user chooses which. */
async function chooseRows({ source, derived }: ExportOrder): Promise<Wanted | undefined> {
  const rows = source.rows?.length ?? source.store.rowCount;
  const all: Wanted = { rows, placeHolder: whatIsWritten(source, numberText(rows)), make: async () => source };
  if (derived === undefined) return all;
  const placeHolder = vscode.l10n.t('{0} lines, as shown now', numberText(derived.rows));
  const items = [
    {
      label: vscode.l10n.t('Shown Rows'),
      description: vscode.l10n.t('{0} lines', numberText(derived.rows)),
      wanted: { rows: derived.rows, placeHolder, make: (signal: AbortSignal) => derived.make(signal) },
    },
    {
      label: vscode.l10n.t('Underlying Rows'),
      description: vscode.l10n.t('{0} rows', numberText(rows)),
      wanted: all,
    },
  ];
  const title = vscode.l10n.t('Export {0}', displayText(source.title));
  return (await showQuickPick(items, { title }))?.wanted;
}

function numberText(rows: number): string {
  return rows.toLocaleString(vscode.env.language);
}

/** Describes the rows and columns in the export, so that hidden ones are not missed unnoticed. */
function whatIsWritten({ store, columns }: ExportSource, rows: string): string {
  const all = store.columns.length;
  return columns.length === all
    ? vscode.l10n.t('{0} rows, as currently sorted and filtered', rows)
    : vscode.l10n.t(
        '{0} rows, as currently sorted and filtered, with the {1} of {2} columns shown',
        rows,
        columns.length,
        all,
      );
}

/** Writes the file and, if requested, its details; undefined if the user cancels. */
async function exportTo(
  { title, format, file }: { title: string; format: ExportFormat; file: vscode.Uri },
  order: ExportOrder,
  wanted: Wanted,
): Promise<(ExportedFile & { cut: number }) | undefined> {
  return withProgress(vscode.l10n.t('Exporting {0} as {1}', title, format.name), async (signal, report) => {
    let told = 0;
    let cut = 0;
    const onCut = () => void cut++;
    const onProgress = (rows: number) => {
      report({ increment: (100 * (rows - told)) / Math.max(1, wanted.rows) });
      told = rows;
    };
    try {
      // Get the details first: they need the server, which may be unavailable, and the written rows must not wait for
      // it.
      const details = wantsDetails() ? await order.details() : undefined;
      const source = await wanted.make(signal);
      signal.throwIfAborted();
      if (source === undefined) return undefined;
      const exported = await writeTo(file, (target) =>
        exportFile(target, format, source, { signal, onProgress, onCut, wantsHash: details !== undefined }),
      );
      if (details !== undefined) await writeDetails(file, source, { details, exported, cut });
      return { ...exported, cut };
    } catch (error) {
      if (signal.aborted) return undefined;
      const cause = error instanceof Error ? error.message : String(error);
      throw new Error(vscode.l10n.t('Could not export "{0}" to {1}: {2}', title, file.fsPath, cause), { cause: error });
    }
  });
}

/** Writes local files directly. For other file systems, writes a local file and passes it to VS Code. */
async function writeTo(file: vscode.Uri, write: (target: string) => Promise<ExportedFile>): Promise<ExportedFile> {
  if (file.scheme === 'file') return write(file.fsPath);
  const target = path.join(os.tmpdir(), `analytics-export-${randomUUID()}`);
  try {
    const exported = await write(target);
    await vscode.workspace.fs.writeFile(file, await readFile(target));
    return exported;
  } finally {
    await rm(target, { force: true });
  }
}

function wantsDetails(): boolean {
  return vscode.workspace.getConfiguration('analytics').get('export.details', false);
}

/** Writes how the file was created to a file with the same name, ending in `.details.json`. */
async function writeDetails(
  file: vscode.Uri,
  source: ExportSource,
  { details, exported, cut }: { details: object; exported: ExportedFile; cut: number },
): Promise<void> {
  const content = {
    ...details,
    rows: source.rows?.length ?? source.store.rowCount,
    columns: source.columns.map((column) => source.store.columns[column]?.key ?? ''),
    bytes: exported.bytes,
    sha256: exported.hash,
    ...(cut > 0 && { cutTexts: cut }),
  };
  const bytes = new TextEncoder().encode(`${JSON.stringify(content, undefined, 2)}\n`);
  const target = file.with({ path: `${file.path}.details.json` });
  if (target.scheme === 'file') await replaceFile(target.fsPath, (write) => write(bytes));
  else await vscode.workspace.fs.writeFile(target, bytes);
}

async function offerFile(file: vscode.Uri, rows: number, cut: number): Promise<void> {
  const open = vscode.l10n.t('Open');
  const name = displayText(path.posix.basename(file.path));
  const count = rows.toLocaleString(vscode.env.language);
  const words =
    rows === 1
      ? vscode.l10n.t('Exported 1 row to {0}.', name)
      : vscode.l10n.t('Exported {0} rows to {1}.', count, name);
  const chosen =
    cut === 0 ? showInformationMessage(words, open) : showWarningMessage(`${words} ${cutWords(cut)}`, open);
  // Do not wait for the message, which may stay open: the export is finished.
  void Promise.resolve(chosen).then(async (answer) => {
    if (answer === open) await vscode.commands.executeCommand('vscode.open', file);
  });
}

/** A workbook with truncated texts must say so. */
function cutWords(cut: number): string {
  return cut === 1
    ? vscode.l10n.t(
        'One text was truncated: a workbook cell holds 32,767 characters. Other formats keep the full text.',
      )
    : vscode.l10n.t(
        '{0} texts were truncated: a workbook cell holds 32,767 characters. Other formats keep the full text.',
        numberText(cut),
      );
}
