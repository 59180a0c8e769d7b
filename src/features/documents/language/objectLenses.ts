import * as vscode from 'vscode';
import { codeLens } from '../../../editor/documentMarks.ts';
import { displayText } from '../../../editor/displayText.ts';
import { labelKey } from '../../../objects/placeholders.ts';
import { fieldNode, propertyOf } from '../../../objects/language/jsonText.ts';
import { nameOf } from '../../../objects/kinds/objectKind.ts';
import { isJsonObject } from '../../../objects/json.ts';
import { isNewObject, type DocumentTarget } from '../../../editor/documentUri.ts';
import type { LanguageModel, ObjectDocument } from './languageModel.ts';

/**
 * Code lenses above the name of a policy or tag with the facts an administrator needs first, and above a secret that
 * the text does not contain.
 */
export class ObjectLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #model: LanguageModel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(model: LanguageModel) {
    this.#model = model;
    this.#subscription = model.onDidChange(() => this.#changed.fire());
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const read = this.#model.read(document);
    const target = read?.target && { ...read.target, installation: document.uri.query };
    if (!read || !target || isNewObject(target) || read.json.root?.type !== 'object') return [];
    if (read.kind.secret) return this.#secret(document, read, target);
    if (read.kind.name !== 'policy' && read.kind.name !== 'tag') return [];
    await this.#model.learn(read);
    const name = propertyOf(read.json.root, read.kind.nameField ?? '') ?? read.json.root;
    const range = new vscode.Range(document.positionAt(name.offset), document.positionAt(name.offset));
    const view = read.json.value;
    const named = { ...target, name: isJsonObject(view) ? displayText(nameOf(read.kind, view)) : target.name };
    const commands = read.kind.name === 'policy' ? this.#policy(read, named) : this.#tag(read, named);
    return commands.map((command) => codeLens(range, command));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** Code lens above the field of a secret. */
  #secret(document: vscode.TextDocument, { json, kind }: ObjectDocument, target: DocumentTarget): vscode.CodeLens[] {
    const field = propertyOf(json.root, kind.secret?.beside ?? '');
    if (!field) return [];
    const at = document.positionAt(field.offset);
    const title = kind.name === 'settings' ? vscode.l10n.t('Change Client Secret…') : vscode.l10n.t('Change Password…');
    return [codeLens(new vscode.Range(at, at), command(title, 'analytics.object.changeSecret', target))];
  }

  #policy(read: ObjectDocument, target: DocumentTarget): vscode.Command[] {
    const known = this.#model.factsOf(read).objects('policy')?.get(target.id)?.policy;
    // The text of a draft with a syntax error may lack its lists.
    if (!known && !read.json.isWhole)
      return [command(vscode.l10n.t('Assignment unknown'), 'analytics.policy.assign', target)];
    const count = (field: string) => fieldNode(read.json.root, field)?.children?.length ?? 0;
    const isActive = known?.isActive ?? fieldNode(read.json.root, 'isActive')?.value === true;
    const assigned = assignedWords(known?.groupIds.length ?? count('Groups'), known?.userIds.length ?? count('Users'));
    return [
      isActive
        ? command(vscode.l10n.t('Deactivate'), 'analytics.policy.deactivate', target)
        : command(vscode.l10n.t('Activate'), 'analytics.policy.activate', target),
      command(assigned, 'analytics.policy.assign', target),
    ];
  }

  #tag(read: ObjectDocument, target: DocumentTarget): vscode.Command[] {
    const facts = this.#model.factsOf(read);
    const policies = facts.objects('policy');
    if (!policies) return [];
    // The label stored on the server: no policy uses an edited label yet.
    const label = labelKey(facts.objects('tag')?.get(target.id)?.name ?? target.name);
    const using = [...policies.values()].filter(({ policy }) => policy?.tagLabels.includes(label));
    if (using.length === 0) return [{ title: vscode.l10n.t('Used by no policy'), command: '' }];
    const words =
      using.length === 1 ? vscode.l10n.t('Used by 1 policy') : vscode.l10n.t('Used by {0} policies', using.length);
    return [
      {
        title: words,
        command: 'analytics.tag.showPolicies',
        arguments: [{ ...target, policies: using.map(({ id, name, detail }) => ({ id, name, detail })) }],
      },
    ];
  }
}

function command(title: string, id: string, target: DocumentTarget): vscode.Command {
  return { title, command: id, arguments: [target] };
}

function assignedWords(groups: number, users: number): string {
  if (groups === 0 && users === 0) return vscode.l10n.t('Not assigned');
  const words = [
    ...(groups === 0 ? [] : [groups === 1 ? vscode.l10n.t('1 group') : vscode.l10n.t('{0} groups', groups)]),
    ...(users === 0 ? [] : [users === 1 ? vscode.l10n.t('1 user') : vscode.l10n.t('{0} users', users)]),
  ];
  return vscode.l10n.t('Assigned to {0}', words.join(', '));
}
