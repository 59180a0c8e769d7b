import type * as vscode from 'vscode';
import type { CommandServices } from '../../editor/commands/services.ts';
import type { ChangedDocuments } from './changedDocuments.ts';
import type { ChangeNode } from './changesTree.ts';
import type { Documents } from './documents.ts';
import type { LanguageFeatures } from './language/languageFeatures.ts';

/** Services of commands for documents. */
export interface DocumentServices extends CommandServices {
  changesView: vscode.TreeView<ChangeNode>;
  /** Documents with changes that are not on their server. */
  changes: ChangedDocuments;
  documents(): Promise<Documents>;
  /** Language features for documents, loaded on first use. */
  language(): Promise<LanguageFeatures>;
}
