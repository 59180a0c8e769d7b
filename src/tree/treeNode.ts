import type { AnalyticsClient } from '../client/client.ts';
import type { SessionState } from '../client/sessionState.ts';
import type { LibraryNode } from '../contract/resources/library.ts';
import type { ServerEntry } from '../connections/serverEntry.ts';

/** What the tree needs of a connection. */
export interface TreeConnection {
  readonly id: string;
  readonly name: string;
  readonly kind: ServerEntry['kind'];
  readonly userName: string;
  readonly entry: ServerEntry;
  readonly state: SessionState;
  client(): Promise<Pick<AnalyticsClient, 'call'>>;
}

/** Parts of a server's subtree that are not objects of the server. */
export type SectionName = 'library' | 'security';
/** Lists below Security. */
export type ListName = 'users' | 'groups' | 'dataTags' | 'policies';
/** The three libraries. */
export type LibraryName = 'public' | 'personal' | 'favourites';

interface NodeBase {
  /** Unique in the tree and the same after every refresh. Built from the place in the tree: not an object's id. */
  readonly id: string;
  readonly connection: TreeConnection;
}

/** A saved server. */
export interface ServerNode extends NodeBase {
  readonly kind: 'server';
  readonly parent: undefined;
}

/** Library or Security of a server. */
export interface SectionNode extends NodeBase {
  readonly kind: 'section';
  readonly parent: ServerNode;
  readonly section: SectionName;
}

/** The public or personal library, or the favourites. */
export interface LibraryRootNode extends NodeBase {
  readonly kind: 'libraryRoot';
  readonly parent: SectionNode;
  readonly library: LibraryName;
  /** Folder that holds what lies directly in this library; empty for the favourites. */
  readonly folderId: string;
  readonly folders: readonly LibraryNode[];
}

/** A library folder. */
export interface FolderNode extends NodeBase {
  readonly kind: 'folder';
  readonly parent: LibraryRootNode | FolderNode;
  readonly folderId: string;
  readonly name: string;
  readonly isPersonal: boolean;
  readonly isReadOnly: boolean;
  readonly folders: readonly LibraryNode[];
}

/** A report or dashboard in a folder or among the favourites. */
export interface ItemNode extends NodeBase {
  readonly kind: 'report' | 'dashboard';
  readonly parent: LibraryRootNode | FolderNode;
  readonly item: ItemFacts;
}

/** What the tree keeps of a library item: enough to show it, so that large libraries stay small in memory. */
export interface ItemFacts {
  readonly itemId: string;
  readonly name: string;
  readonly description: string;
  readonly reportType: string;
  readonly application: string;
  readonly folderPath: string;
  readonly modified: string;
  readonly modifiedBy: string;
  readonly outputType: number;
  readonly isFavourite: boolean;
}

/** Users, Groups, Data Tags or Policies of a server. */
export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly parent: SectionNode;
  readonly list: ListName;
}

/** What the tree keeps of a user. Moments are null where the server says 'never'. */
export interface UserFacts {
  readonly userId: string;
  readonly loginName: string;
  readonly fullName: string;
  readonly email: string;
  readonly company: string;
  readonly isAdmin: boolean;
  readonly lockedSince: string | null;
  readonly lastSignIn: string | null;
  readonly groups: readonly string[];
}

/** A user in the list of users, or as a member of a group with the roles held there. */
export interface UserNode extends NodeBase {
  readonly kind: 'user' | 'member';
  readonly parent: ListNode | GroupNode;
  readonly user: UserFacts;
  /** Roles in the group; empty in the list of users. */
  readonly roles: readonly string[];
}

/** A security group; its members came with it. */
export interface GroupNode extends NodeBase {
  readonly kind: 'group';
  readonly parent: ListNode;
  readonly groupId: string;
  readonly name: string;
  readonly description: string;
  readonly members: readonly { user: UserFacts; roles: readonly string[] }[];
}

/** A data tag. */
export interface DataTagNode extends NodeBase {
  readonly kind: 'dataTag';
  readonly parent: ListNode;
  readonly tagId: string;
  readonly label: string;
  readonly defaultValue: string;
  readonly isActive: boolean;
  /** Groups and users with a value of their own. */
  readonly valueCount: number;
}

/** A row-level security policy. */
export interface PolicyNode extends NodeBase {
  readonly kind: 'policy';
  readonly parent: ListNode;
  readonly policyId: string;
  readonly name: string;
  readonly description: string;
  readonly isActive: boolean;
  /** Names where they could be read, else ids such as `#16`. */
  readonly groups: readonly string[];
  readonly userCount: number;
}

/** Why a place has nothing to show. */
export type NoticeReason = 'none' | 'noneVisible' | 'noPermission' | 'signedOut' | 'expired' | 'takenOver' | 'refused';

/** Stands where there is nothing to show, and says why. */
export interface NoticeNode extends NodeBase {
  readonly kind: 'notice';
  readonly parent: TreeNode;
  readonly reason: NoticeReason;
  /** The server's words, where there are any. */
  readonly detail: string;
}

/** Stands where loading failed; a click tries again. */
export interface FailureNode extends NodeBase {
  readonly kind: 'failure';
  readonly parent: TreeNode;
  readonly message: string;
  readonly remedy: string;
  /** Whether the server did not answer at all. */
  readonly isUnreachable: boolean;
}

export type TreeNode =
  | ServerNode
  | SectionNode
  | LibraryRootNode
  | FolderNode
  | ItemNode
  | ListNode
  | UserNode
  | GroupNode
  | DataTagNode
  | PolicyNode
  | NoticeNode
  | FailureNode;

/** Whether a command's argument is a node of the tree. */
export function isTreeNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'connection' in value && 'parent' in value;
}

/** Id and name of the object that a node stands for; undefined for places that are no object of the server. */
export function objectOf(node: TreeNode): { id: string; name: string } | undefined {
  switch (node.kind) {
    case 'folder':
      return { id: node.folderId, name: node.name };
    case 'report':
    case 'dashboard':
      return { id: node.item.itemId, name: node.item.name };
    case 'user':
    case 'member':
      return { id: node.user.userId, name: node.user.loginName };
    case 'group':
      return { id: node.groupId, name: node.name };
    case 'dataTag':
      return { id: node.tagId, name: node.label };
    case 'policy':
      return { id: node.policyId, name: node.name };
    case 'server':
    case 'section':
    case 'libraryRoot':
    case 'list':
    case 'notice':
    case 'failure':
      return undefined;
  }
}
