import * as os from 'node:os';
import * as vscode from 'vscode';
import { showSaveDialog } from '../../../editor/panels.ts';
import { fileName } from './exportFile.ts';

const pictureTypes = { png: 'PNG', svg: 'SVG' } as const;

/** Asks where to save something of the report `title`; undefined when the user does not say. */
export async function askForFile(title: string, extension: string, typeName: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  return showSaveDialog({
    title: vscode.l10n.t('Export "{0}" as {1}', title, typeName),
    defaultUri: vscode.Uri.joinPath(folder, `${fileName(title)}.${extension}`),
    filters: { [typeName]: [extension] },
  });
}

/** Saves a picture of the report `title` where the user says; false when the user does not. */
export async function savePicture(title: string, format: 'png' | 'svg', bytes: Uint8Array): Promise<boolean> {
  const file = await askForFile(title, format, pictureTypes[format]);
  if (file === undefined) return false;
  await vscode.workspace.fs.writeFile(file, bytes);
  return true;
}

/** Shapes of the states of the USA, which come with the sample; null in an installation without them. */
export async function readMapShapes(extensionUri: vscode.Uri): Promise<Uint8Array | null> {
  const file = vscode.Uri.joinPath(extensionUri, 'dist', 'sample', 'us-10m.json');
  try {
    // The editor may give a Node buffer, which reaches a page as a plain object.
    return Uint8Array.from(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return null;
    throw error;
  }
}
