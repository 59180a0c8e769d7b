import * as vscode from 'vscode';
import { kindNames } from '../../../objects/kinds/kindNames.ts';
import type { ReferenceKind } from '../../../objects/language/knownObjects.ts';
import { documentSchemes } from './documentKind.ts';
import { FieldDefinition } from './fieldDefinition.ts';
import { LanguageModel, type LanguageModelOptions } from './languageModel.ts';
import { MaintainedFields } from './maintainedFields.ts';
import { completionTriggers, ObjectCompletion } from './objectCompletion.ts';
import { ObjectHints } from './objectHints.ts';
import { ObjectLenses } from './objectLenses.ts';
import { fixAllKind, ProblemMarks } from './problemMarks.ts';

/** Changed objects of a server. */
export interface ServerChange {
  readonly connectionId: string;
  /** Sidebar kinds of the changed objects; undefined if anything may have changed. */
  readonly kinds: readonly string[] | undefined;
}

const everyKind: readonly ReferenceKind[] = [
  ...(['group', 'user', 'tag', 'policy', 'folder', 'application', 'report', 'server'] as const),
];

/** Lists that depend on objects of a kind: users are in groups, reports in the library, report types on servers. */
const listsShowing: Readonly<Record<string, readonly ReferenceKind[]>> = {
  user: ['user', 'group', 'policy', 'tag'],
  group: ['group', 'user', 'policy', 'tag'],
  tag: ['tag'],
  policy: ['policy'],
  library: ['folder', 'report'],
  application: ['application', 'server'],
};

/**
 * Language features for object documents: completion, hovers, links, inlay hints, diagnostics with quick fixes, code
 * lenses.
 */
export class LanguageFeatures implements vscode.Disposable {
  readonly model: LanguageModel;
  readonly #parts: vscode.Disposable[];

  constructor(options: LanguageModelOptions) {
    const model = (this.model = new LanguageModel(options));
    const selector = [...new Set([options.scheme, ...documentSchemes])].map((scheme) => ({
      scheme,
      pattern: `**/*.{${kindNames.join(',')}}.json`,
    }));
    const hints = new ObjectHints(model);
    const lenses = new ObjectLenses(model);
    const marks = new ProblemMarks(model);
    const { languages } = vscode;
    this.#parts = [
      model,
      hints,
      lenses,
      marks,
      languages.registerCompletionItemProvider(selector, new ObjectCompletion(model), ...completionTriggers),
      languages.registerHoverProvider(selector, hints),
      languages.registerInlayHintsProvider(selector, hints),
      languages.registerDocumentLinkProvider(selector, hints),
      languages.registerDefinitionProvider(selector, new FieldDefinition(model)),
      languages.registerCodeLensProvider(selector, lenses),
      languages.registerFoldingRangeProvider(selector, new MaintainedFields(model)),
      languages.registerCodeActionsProvider(selector, marks, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, fixAllKind],
      }),
    ];
    for (const document of vscode.workspace.textDocuments) marks.look(document);
  }

  /** Invalidates cached data after objects of a server changed. */
  changed({ connectionId, kinds }: ServerChange): void {
    const lists = kinds?.flatMap((kind) => listsShowing[kind] ?? []) ?? everyKind;
    if (lists.length > 0) this.model.forget(connectionId, lists, lists.includes('server'));
  }

  dispose(): void {
    vscode.Disposable.from(...this.#parts).dispose();
  }
}
