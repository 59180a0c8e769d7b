import type { AnalyticsClient } from '../../client/client.ts';
import type { SessionState } from '../../client/session/sessionState.ts';
import type { LibraryNode } from '../../contract/resources/library.ts';
import type { ReportTreeNode } from '../../contract/resources/semanticLayer.ts';
import type { ServerEntry } from '../../connections/serverEntry.ts';
import type { DatabaseFacts, Fact, ItemFacts, SeatFacts, UserFacts } from './nodeFacts.ts';

/** The part of a connection that the tree uses. */
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
export type SectionName = 'library' | 'security' | 'semanticLayer' | 'administration';
/** Lists below Security. */
export type ListName = 'users' | 'groups' | 'dataTags' | 'policies';
/** The three libraries. */
export type LibraryName = 'public' | 'personal' | 'favourites';

interface NodeBase {
  /** Unique in the tree and stable across refreshes. Derived from the position in the tree: not an object id. */
  readonly id: string;
  readonly connection: TreeConnection;
  /** Id of the installation it was read from; undefined if unknown, and for servers. */
  readonly installation?: string;
}

/** A saved server. */
export interface ServerNode extends NodeBase {
  readonly kind: 'server';
  readonly parent: undefined;
}

/** Library, Security, Semantic Layer or Administration of a server. */
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
  /** Folder id of the library's root; empty for the favourites. */
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
  /** Whether its contents can be viewed, but not changed. */
  readonly isReadOnly: boolean;
  readonly mayDelete: boolean;
  /** Whether the account can set the groups that can view it. */
  readonly mayScope: boolean;
  readonly folders: readonly LibraryNode[];
}

/** A report or dashboard in a folder or among the favourites. */
export interface ItemNode extends NodeBase {
  readonly kind: 'report' | 'dashboard';
  readonly parent: LibraryRootNode | FolderNode;
  readonly item: ItemFacts;
}

/** Users, Groups, Data Tags or Policies of a server. */
export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly parent: SectionNode;
  readonly list: ListName;
}

/** A user in the list of users, a group member with the roles there, or who holds seats of an application. */
export interface UserNode extends NodeBase {
  readonly kind: 'user' | 'member' | 'holder';
  readonly parent: ListNode | GroupNode | FactNode;
  readonly user: UserFacts;
  /** Roles in the group or on the application; empty in the list of users. */
  readonly roles: readonly string[];
}

/** A security group, including its members. */
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
  /** Number of groups and users with their own value. */
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
  /** Group names if they could be read, otherwise ids such as `#16`. */
  readonly groups: readonly string[];
  readonly groupIds: readonly string[];
  readonly userCount: number;
  readonly constraintCount: number;
}

/** An application, including its registered servers. */
export interface ApplicationNode extends NodeBase {
  readonly kind: 'application';
  readonly parent: SectionNode;
  readonly applicationId: string;
  readonly name: string;
  readonly moduleType: string;
  readonly seats: SeatFacts;
  readonly servers: readonly DatabaseFacts[];
}

/** A database server registered for an application. */
export interface RegisteredServerNode extends NodeBase {
  readonly kind: 'registeredServer';
  readonly parent: ApplicationNode;
  readonly database: DatabaseFacts;
}

/** A report type of a registered server. */
export interface ReportTypeNode extends NodeBase {
  readonly kind: 'reportType';
  readonly parent: RegisteredServerNode;
  readonly reportTypeId: string;
  readonly name: string;
  /** Name as written by the server: report types are requested by name. */
  readonly wireName: string;
}

/** A field or folder of fields of a report type, including its children. */
export interface FieldNode extends NodeBase {
  readonly kind: 'fieldFolder' | 'field';
  readonly parent: ReportTypeNode | FieldNode;
  readonly name: string;
  /** Field type code; empty for a folder. */
  readonly fieldType: string;
  /** Table alias and column; empty for a folder. */
  readonly column: string;
  readonly children: readonly ReportTreeNode[];
}

/** Parts of Administration. */
export type SettingName = 'settings' | 'smtp' | 'audit' | 'licences';

/** Instance settings, outgoing mail, audit or licences. */
export interface SettingNode extends NodeBase {
  readonly kind: 'setting';
  readonly parent: SectionNode;
  readonly setting: SettingName;
}

/** A fact below Administration, such as a setting and its value. */
export interface FactNode extends NodeBase {
  readonly kind: 'fact';
  readonly parent: SettingNode;
  /** Empty for the installation id. */
  readonly name: string;
  readonly fact: Fact;
}

/** Why a node has no children. */
export type NoticeReason =
  | 'none'
  | 'noneVisible'
  | 'noneFiltered'
  | 'noPermission'
  | 'signedOut'
  | 'expired'
  | 'takenOver'
  | 'refused'
  | 'loading';

/** Placeholder in an empty node, with the reason. */
export interface NoticeNode extends NodeBase {
  readonly kind: 'notice';
  readonly parent: TreeNode;
  readonly reason: NoticeReason;
  /** The server's message, if any. */
  readonly detail: string;
}

/** Placeholder for a failed load; a click retries. */
export interface FailureNode extends NodeBase {
  readonly kind: 'failure';
  readonly parent: TreeNode;
  readonly message: string;
  readonly remedy: string;
  /** Whether the server did not respond at all. */
  readonly isUnreachable: boolean;
}

/** Placeholder after the first rows of a long list; loads more. */
export interface MoreNode extends NodeBase {
  readonly kind: 'more';
  readonly parent: TreeNode;
  /** Number of rows shown before it. */
  readonly shown: number;
  /** Number of hidden rows. */
  readonly hidden: number;
  /** Number of rows that a click adds. */
  readonly next: number;
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
  | ApplicationNode
  | RegisteredServerNode
  | ReportTypeNode
  | FieldNode
  | SettingNode
  | FactNode
  | NoticeNode
  | FailureNode
  | MoreNode;

/** The node of a saved server. */
export function serverNode(connection: TreeConnection): ServerNode {
  return { kind: 'server', id: connection.id, connection, parent: undefined };
}

/** Whether a command argument is a tree node. */
export function isTreeNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'connection' in value && 'parent' in value;
}

/** Id and name of a node's object; undefined for nodes that are not objects of the server. */
export function objectOf(node: TreeNode): { id: string; name: string } | undefined {
  switch (node.kind) {
    case 'folder':
      return { id: node.folderId, name: node.name };
    case 'report':
    case 'dashboard':
      return { id: node.item.itemId, name: node.item.name };
    case 'user':
    case 'member':
    case 'holder':
      return { id: node.user.userId, name: node.user.loginName };
    case 'group':
      return { id: node.groupId, name: node.name };
    case 'dataTag':
      return { id: node.tagId, name: node.label };
    case 'policy':
      return { id: node.policyId, name: node.name };
    case 'application':
      return { id: node.applicationId, name: node.name };
    case 'registeredServer':
      return { id: node.database.serverId, name: node.database.name };
    case 'reportType':
      return { id: node.reportTypeId, name: node.name };
    case 'field':
      return { id: node.column, name: node.name };
    case 'fact':
      return 'value' in node.fact ? { id: node.fact.value, name: node.name } : undefined;
    case 'setting':
    case 'fieldFolder':
    case 'server':
    case 'section':
    case 'libraryRoot':
    case 'list':
    case 'notice':
    case 'failure':
    case 'more':
      return undefined;
  }
}
