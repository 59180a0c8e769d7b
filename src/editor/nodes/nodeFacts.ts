/** What the tree keeps of a library item: enough to show it, so that large libraries stay small in memory. */
export interface ItemFacts {
  readonly itemId: string;
  readonly name: string;
  readonly description: string;
  readonly reportType: string;
  readonly application: string;
  /** Folder it lies in; empty where the server does not tell. */
  readonly folderId: string;
  readonly folderPath: string;
  readonly modified: string;
  readonly modifiedBy: string;
  readonly outputType: number;
  readonly isFavourite: boolean;
  readonly mayModify: boolean;
  readonly mayDelete: boolean;
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

/** Licence seats of an application. */
export interface SeatFacts {
  readonly licensed: number;
  readonly consumed: number;
  readonly architects: number;
  readonly builders: number;
  readonly agents: number;
  /** As the server wrote it, MM/DD/YYYY. */
  readonly expires: string;
  readonly isExpired: boolean;
  readonly isLicensed: boolean;
}

/** What the tree keeps of a registered database server. */
export interface DatabaseFacts {
  readonly serverId: string;
  readonly name: string;
  readonly moduleType: string;
  readonly platform: string;
  readonly host: string;
  readonly database: string;
  readonly login: string;
  readonly owner: string;
  readonly commandTimeout: number;
}

/** What a fact below Administration says. */
export type Fact =
  | { readonly kind: 'setting'; readonly value: string }
  | { readonly kind: 'audit'; readonly isRecorded: boolean; readonly days: number }
  | { readonly kind: 'installation'; readonly value: string }
  | { readonly kind: 'seats'; readonly seats: SeatFacts };
