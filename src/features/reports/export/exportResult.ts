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

/** What is exported, and what is said of it in the details beside the file. */
interface ExportOrder {
  source: ExportSource;
  /** What is shown in the place of the rows, if anything. */
  derived?: DerivedLines;
  /** Whether there is a chart to take a picture of. */
  hasPicture: boolean;
  /** Details of the run, asked for only when they are wanted; what the server does not tell is said in them. */
  details: () => Promise<object>;
}

/** What was chosen to be written. */
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
 * Asks for a format and a file, and writes the rows there, with progress. Nothing runs again.
 * @returns the kind of picture to take in place of the rows; undefined for everything else.
 * @throws errors of the file system, saying which file.
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

/** The rows; where something else is shown in their place, the user says which of them. */
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

/** Says which rows and columns an export has, so that nobody misses those that are hidden. */
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

/** Writes the file and, where wanted, its details; undefined when the user cancels. */
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
      // They need the server, which may be gone: the rows are not to wait for it, once they are written.
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

/** Files of this computer are written in place; for others, a file of this computer is handed to the editor. */
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

/** What the file was made from, in a file of the same name that ends in `.details.json`. */
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
  // The message may stay for long: the export is over all the same.
  void Promise.resolve(chosen).then(async (answer) => {
    if (answer === open) await vscode.commands.executeCommand('vscode.open', file);
  });
}

/** A workbook that lacks the ends of texts must not look like one that has them. */
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
