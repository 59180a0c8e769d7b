import * as vscode from 'vscode';
import { reportTypeDocumentId } from '../../../objects/kinds/reportTypeId.ts';
import { objectOf, type TreeNode } from '../../../editor/nodes/treeNode.ts';

/** URI scheme of decorated nodes; these URIs cannot be opened. */
const scheme = 'analytics-node';

/** Decorations of a node. */
type Mark = 'locked' | 'inactive' | 'readOnly';

/** Identifies an object of a server by its document kind. */
export interface ObjectKey {
  connectionId: string;
  kind: string;
  id: string;
}

/** How an object's open document differs from the server. */
export type ChangeState = 'unsaved' | 'notSaved';

const kinds: Partial<Record<TreeNode['kind'], string>> = {
  user: 'user',
  member: 'user',
  group: 'group',
  dataTag: 'tag',
  policy: 'policy',
  folder: 'folder',
  report: 'report',
  dashboard: 'dashboard',
  registeredServer: 'server',
};

/** Resource URI for a node's decoration; undefined for nodes without decorations. */
export function decorationUri(node: TreeNode): vscode.Uri | undefined {
  const object = decoratedObject(node);
  if (!object) return undefined;
  const { connectionId, kind, id } = object;
  const path = `/${[connectionId, kind, id].map(encodeURIComponent).join('/')}`;
  return vscode.Uri.from({ scheme, path, query: marksOf(node).join(',') });
}

/** The object of a node, if its open document decorates it. */
export function decoratedObject(node: TreeNode): ObjectKey | undefined {
  const connectionId = node.connection.id;
  if (node.kind === 'setting') return { connectionId, kind: node.setting, id: node.setting };
  if (node.kind === 'reportType') {
    const place = { regServerId: node.parent.database.serverId, moduleId: node.parent.parent.applicationId };
    return { connectionId, kind: 'reporttype', id: reportTypeDocumentId(place, node.reportTypeId) };
  }
  const kind = kinds[node.kind];
  const object = objectOf(node);
  return kind !== undefined && object ? { connectionId, kind, id: object.id } : undefined;
}

function marksOf(node: TreeNode): Mark[] {
  switch (node.kind) {
    case 'user':
    case 'member':
    case 'holder':
      return node.user.lockedSince === null ? [] : ['locked'];
    case 'dataTag':
    case 'policy':
      return node.isActive ? [] : ['inactive'];
    case 'folder':
      return node.isReadOnly ? ['readOnly'] : [];
    case 'report':
      return node.item.mayModify ? [] : ['readOnly'];
    default:
      return [];
  }
}

/** Decorates sidebar nodes: locked users, inactive or read-only objects, and objects with unsaved documents. */
export class NodeDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #stateOf: (object: ObjectKey) => ChangeState | undefined;
  readonly #onDraw: (object: ObjectKey) => void;
  readonly #registration: vscode.Disposable;

  /**
   * @param stateOf state of an object's open document.
   * @param onDraw called when the editor renders the row of an object: it only requests decorations of rendered rows.
   */
  constructor(stateOf: (object: ObjectKey) => ChangeState | undefined, onDraw: (object: ObjectKey) => void) {
    this.#stateOf = stateOf;
    this.#onDraw = onDraw;
    this.#registration = vscode.window.registerFileDecorationProvider(this);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== scheme) return undefined;
    const [connectionId = '', kind = '', id = ''] = uri.path.slice(1).split('/').map(decodeURIComponent);
    this.#onDraw({ connectionId, kind, id });
    return this.#changeMark({ connectionId, kind, id }) ?? markOf(uri.query);
  }

  /** Updates decorations after documents were edited, saved or closed. */
  changed(): void {
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #changeMark(object: ObjectKey): vscode.FileDecoration | undefined {
    switch (this.#stateOf(object)) {
      case 'unsaved':
        return {
          badge: '●',
          tooltip: changeWords('unsaved'),
          color: new vscode.ThemeColor('gitDecoration.modifiedResourceForeground'),
        };
      case 'notSaved':
        return {
          badge: '!',
          tooltip: changeWords('notSaved'),
          color: new vscode.ThemeColor('list.errorForeground'),
        };
      case undefined:
        return undefined;
    }
  }
}

/** How the open document of an object differs from the server, in words. */
export function changeWords(state: ChangeState): string {
  return state === 'unsaved' ? vscode.l10n.t('Open with unsaved changes') : vscode.l10n.t('Open, last save failed');
}

function markOf(query: string): vscode.FileDecoration | undefined {
  switch (query) {
    case 'locked':
      return {
        badge: 'L',
        tooltip: vscode.l10n.t('Locked'),
        color: new vscode.ThemeColor('list.warningForeground'),
      };
    case 'inactive':
      return { tooltip: vscode.l10n.t('Inactive'), color: new vscode.ThemeColor('descriptionForeground') };
    case 'readOnly':
      return { badge: 'R', tooltip: vscode.l10n.t('Read-only for this account') };
    default:
      return undefined;
  }
}
