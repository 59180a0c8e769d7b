import type * as vscode from 'vscode';
import type { CommandServices } from '../../editor/commands/services.ts';
import type { ChangedDocuments } from './changedDocuments.ts';
import type { ChangeNode } from './changesTree.ts';
import type { Documents } from './documents.ts';
import type { LanguageFeatures } from './language/languageFeatures.ts';

/** What commands about documents work with. */
export interface DocumentServices extends CommandServices {
  changesView: vscode.TreeView<ChangeNode>;
  /** Documents that are not on their server as they are here. */
  changes: ChangedDocuments;
  documents(): Promise<Documents>;
  /** Language help for documents, loaded when first asked for. */
  language(): Promise<LanguageFeatures>;
}
