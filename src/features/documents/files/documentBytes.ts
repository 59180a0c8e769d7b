import * as vscode from 'vscode';
import { fileUnavailable } from '../../../editor/messages.ts';

/** What the editor calls the encodings that servers take. */
const utf8: readonly string[] = ['utf8', 'utf8bom'];

/**
 * Text of a document as the editor is to read it. Where its settings would have it take these bytes for another encoding, or
 * guess one, a byte order mark tells it that they are UTF-8.
 */
export function bytesOf(uri: vscode.Uri, text: string): Uint8Array {
  const settings = vscode.workspace.getConfiguration('files', { uri, languageId: 'json' });
  const needsMark = settings.get('encoding') !== 'utf8' || settings.get('autoGuessEncoding') === true;
  return Buffer.from(needsMark ? `\ufeff${text}` : text);
}

/**
 * Text that the editor saves.
 * @throws {vscode.FileSystemError} where it comes in an encoding that cannot hold every character, and so may have lost some.
 */
export function textOf(uri: vscode.Uri, content: Uint8Array): string {
  const [first, second] = content;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content);
  const key = uri.toString();
  const shown = vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
  const encoding = shown?.encoding ?? 'utf8';
  if (utf8.includes(encoding) || content.every((byte) => byte < 0x80)) return new TextDecoder().decode(content);
  throw fileUnavailable(
    vscode.l10n.t(
      'This document is saved as {0}, but servers require UTF-8. Choose Change File Encoding > Save with Encoding > UTF-8. Nothing was sent.',
      encoding,
    ),
  );
}
