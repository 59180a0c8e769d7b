import * as vscode from 'vscode';
import { fileUnavailable } from '../../../editor/messages.ts';

/** VS Code's names of the encodings that servers accept. */
const utf8: readonly string[] = ['utf8', 'utf8bom'];

/**
 * Encodes a document's text for the editor. If its settings would decode the bytes with another encoding, or guess one,
 * a byte order mark identifies them as UTF-8.
 */
export function bytesOf(uri: vscode.Uri, text: string): Uint8Array {
  const settings = vscode.workspace.getConfiguration('files', { uri, languageId: 'json' });
  const needsMark = settings.get('encoding') !== 'utf8' || settings.get('autoGuessEncoding') === true;
  return Buffer.from(needsMark ? `\ufeff${text}` : text);
}

/**
 * Decodes the text that the editor saves.
 * @throws {vscode.FileSystemError} if its encoding cannot represent every character, so that some may be lost.
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
