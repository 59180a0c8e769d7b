import * as os from 'node:os';
import * as vscode from 'vscode';
import { showSaveDialog } from '../../../editor/panels.ts';
import { fileName } from './exportFile.ts';

const pictureTypes = { png: 'PNG', svg: 'SVG' } as const;

/** Asks where to save a file for the report `title`; undefined if the user cancels. */
export async function askForFile(title: string, extension: string, typeName: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  return showSaveDialog({
    title: vscode.l10n.t('Export "{0}" as {1}', title, typeName),
    defaultUri: vscode.Uri.joinPath(folder, `${fileName(title)}.${extension}`),
    filters: { [typeName]: [extension] },
  });
}

/** Saves a picture of the report `title` to a location that the user picks; false if the user cancels. */
export async function savePicture(title: string, format: 'png' | 'svg', bytes: Uint8Array): Promise<boolean> {
  const file = await askForFile(title, format, pictureTypes[format]);
  if (file === undefined) return false;
  await vscode.workspace.fs.writeFile(file, bytes);
  return true;
}

/** Shapes of the US states, which ship with the sample; null in an installation without them. */
export async function readMapShapes(extensionUri: vscode.Uri): Promise<Uint8Array | null> {
  const file = vscode.Uri.joinPath(extensionUri, 'dist', 'sample', 'us-10m.json');
  try {
    // VS Code may return a Node buffer, which would reach a page as a plain object.
    return Uint8Array.from(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return null;
    throw error;
  }
}
