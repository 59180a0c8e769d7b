/** The cached facts of a library item, limited to what is displayed to reduce memory use of large libraries. */
export interface ItemFacts {
  readonly itemId: string;
  readonly name: string;
  readonly description: string;
  readonly reportType: string;
  readonly application: string;
  /** Id of its folder; empty if the server does not return it. */
  readonly folderId: string;
  readonly folderPath: string;
  readonly modified: string;
  readonly modifiedBy: string;
  readonly outputType: number;
  readonly isFavourite: boolean;
  readonly mayModify: boolean;
  readonly mayDelete: boolean;
  /** For dashboards: whether the server shows its reports as the embedded server does, and so can edit it. */
  readonly hasDocument?: boolean;
}

/** The cached facts of a user. Timestamps are null where the server's value means 'never'. */
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
  /** Roles on applications, as `Flights: Agent`; undefined if the server does not list them. */
  readonly applications: readonly string[] | undefined;
}

/** Licence seats of an application. */
export interface SeatFacts {
  readonly licensed: number;
  readonly consumed: number;
  readonly architects: number;
  readonly builders: number;
  readonly agents: number;
  /** As returned by the server, MM/DD/YYYY. */
  readonly expires: string;
  readonly isExpired: boolean;
  readonly isLicensed: boolean;
}

/** The cached facts of a registered database server. */
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

/** Content of a fact node below Administration. */
export type Fact =
  | { readonly kind: 'setting'; readonly value: string }
  | { readonly kind: 'audit'; readonly isRecorded: boolean; readonly days: number }
  | { readonly kind: 'installation'; readonly value: string }
  | { readonly kind: 'seats'; readonly applicationId: string; readonly seats: SeatFacts };
