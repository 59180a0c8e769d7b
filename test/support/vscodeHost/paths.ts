import path from 'node:path';

/** The project's own folder: the extension under development. */
export const projectRoot = path.resolve(import.meta.dirname, '..', '..', '..');

/** Everything that tests download or leave behind; ignored by git and safe to delete. */
export const cacheFolder = path.join(projectRoot, '.vscode-test');

/** The browser host: a real VS Code whose workbench runs in a browser. */
export const hostFolder = path.join(cacheFolder, 'host');

/** The npm package that carries the browser host: 4.139.1 is VS Code 1.139.1. */
export const hostPackage = { name: 'code-server', version: '4.139.1' };

/** Folder of VS Code itself inside an installation of the browser host. */
export const vscodeFolder = (installation: string): string =>
  path.join(installation, 'node_modules', hostPackage.name, 'lib', 'vscode');

/** VS Code's own server, without a front of its own: what tests start. */
export const serverEntry = path.join(vscodeFolder(hostFolder), 'out', 'server-main.js');

/** The front that keeps secrets across reloads and needs no special address: what people start. */
export const frontEntry = path.join(hostFolder, 'node_modules', hostPackage.name, 'out', 'node', 'entry.js');
