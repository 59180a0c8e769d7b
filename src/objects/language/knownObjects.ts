import type { AnalyticsClient } from '../../client/client.ts';
import { findProduct } from '../../contract/resources/application.ts';
import type { DataTag } from '../../contract/resources/dataTag.ts';
import type { LibraryNode } from '../../contract/resources/library.ts';
import type { Policy } from '../../contract/resources/policy.ts';
import type { User } from '../../contract/resources/user.ts';
import { labelKey, placeholdersWithin } from '../placeholders.ts';
import type { Json } from '../json.ts';

/** Kinds of objects that documents reference. */
export type ReferenceKind = 'group' | 'user' | 'tag' | 'policy' | 'folder' | 'application' | 'report' | 'server';

/** An object of a server, with the data needed by documents that reference it. */
export interface KnownObject {
  readonly id: string;
  readonly name: string;
  /** Distinguishes objects with the same name; may be empty. */
  readonly detail: string;
  readonly tag?: TagFacts;
  readonly policy?: PolicyFacts;
  readonly user?: UserFacts;
  readonly memberCount?: number;
  /** Name of a report's report type. */
  readonly reportType?: string;
  /** Database platform of a registered server, and its application. */
  readonly server?: ServerPlace;
}

/** Data of a user. */
export interface UserFacts {
  readonly isLocked: boolean;
  readonly isAdmin: boolean;
  readonly groups: readonly string[];
  /** Profile fields set by the user and not confirmed by an administrator, if the server provides them. */
  readonly selfSetFields: readonly string[];
}

/** Where to find the report types of a registered server. */
export interface ServerPlace {
  readonly platform: string;
  /** Name of the application. */
  readonly application: string;
  readonly moduleId: string;
  readonly moduleType: string;
}

/** Data of a data tag. */
export interface TagFacts {
  readonly isActive: boolean;
  readonly defaultValue: string;
  /** Values by group or user id. */
  readonly groupValues: ReadonlyMap<string, string>;
  readonly userValues: ReadonlyMap<string, string>;
}

/** Data of a policy. */
export interface PolicyFacts {
  readonly isActive: boolean;
  /** Labels used in its comparisons, as returned by `labelKey`. */
  readonly tagLabels: readonly string[];
  readonly groupIds: readonly string[];
  readonly userIds: readonly string[];
  /** As returned by the server, whose fields are not standardized. */
  readonly constraints: readonly unknown[];
}

/** Calls endpoints of a server. */
export type Call = AnalyticsClient['call'];

/**
 * Reads all objects of a kind that the account may see, in one call.
 * @throws {ClientError} when the server refuses or cannot be reached.
 */
export async function readKnownObjects(call: Call, kind: ReferenceKind, signal?: AbortSignal): Promise<KnownObject[]> {
  const options = signal ? { signal } : {};
  switch (kind) {
    case 'group': {
      const groups = await call('Group/GetAllSecurityGroups', {}, options);
      return groups.flatMap(({ GroupId, GroupName, GroupDescription, Membership }) =>
        known(GroupId, GroupName, GroupDescription, { memberCount: Membership?.length ?? 0 }),
      );
    }
    case 'user':
      return (await call('Contact/GetContactList', {}, options)).flatMap(knownUser);
    case 'tag':
      return (await call('DataTag/GetAllDataTags', {}, options)).flatMap(knownTag);
    case 'policy':
      return (await call('Shield/GetAllShieldPolicies', {}, options)).flatMap(knownPolicy);
    case 'folder': {
      const roots = await call('library/GetAllLibraryTree', { includefav: false, includePersonal: true }, options);
      return roots.flatMap(({ rootnode }) => (rootnode ? foldersBelow(rootnode, '') : []));
    }
    case 'application':
      return (await call('App/GetApplicationList', {}, options)).flatMap((application) => {
        const product = findProduct(application);
        return known(product?.ID, product?.Name, product?.ModuleType);
      });
    case 'report': {
      const items = await call('library/SearchReports', { searchstring: '' }, options);
      return items.flatMap(({ id, ReportName, folderpath, ReportType, itemtype }) =>
        itemtype === 0 ? [] : known(id, ReportName, folderpath, { reportType: ReportType ?? '' }),
      );
    }
    case 'server': {
      const servers = await call('RegServers/GetAdminRegisteredServers', {}, options);
      return servers.flatMap((server) => {
        const product = findProduct(server);
        const platform = server.DatabasePlatform ?? '';
        const moduleId = idText(product?.ID) ?? '';
        return known(server.ID, server.DisplayName || server.DatabaseName, platform, {
          server: { platform, application: product?.Name ?? '', moduleId, moduleType: server.ModuleType ?? '' },
        });
      });
    }
  }
}

type Text = string | null | undefined;

function idText(id: string | number | null | undefined): string | undefined {
  return id === null || id === undefined || id === '' ? undefined : String(id);
}

function known(
  id: string | number | null | undefined,
  name: Text,
  detail: Text,
  more: Partial<KnownObject> = {},
): KnownObject[] {
  const text = idText(id);
  return text === undefined ? [] : [{ id: text, name: name || text, detail: detail ?? '', ...more }];
}

function knownUser(user: User): KnownObject[] {
  const isLocked = Boolean(user.lockdate) && !user.lockdate?.startsWith('0001-01-01');
  const isAdmin = user.isAdmin === true || user.isSuperAdmin === true;
  const groups = (user.SecurityGroups ?? []).flatMap(({ GroupName }) => GroupName ?? []);
  const listed: unknown = user.SelfSetFields;
  const selfSetFields = Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : [];
  return known(user.ID, user.LoginName, user.FullName, { user: { isLocked, isAdmin, groups, selfSetFields } });
}

function knownTag(tag: DataTag): KnownObject[] {
  const values = (relations: DataTag['Contacts']) =>
    new Map(
      (relations ?? []).flatMap(({ RightID, Option1 }) => {
        const id = idText(RightID);
        return id === undefined ? [] : [[id, Option1 ?? ''] as const];
      }),
    );
  return known(tag.ID, tag.Label, tag.DefaultValue, {
    tag: {
      isActive: tag.isActive !== false,
      defaultValue: tag.DefaultValue ?? '',
      groupValues: values(tag.SecurityGroups),
      userValues: values(tag.Contacts),
    },
  });
}

function knownPolicy(policy: Policy): KnownObject[] {
  const constraints = policy.Constraints ?? [];
  const userIds = (policy.Users ?? []).flatMap((user) => {
    if (typeof user !== 'object' || user === null || !('ID' in user)) return [];
    return typeof user.ID === 'string' || typeof user.ID === 'number' ? [String(user.ID)] : [];
  });
  return known(policy.id, policy.Name, policy.Description, {
    policy: {
      isActive: policy.isActive === true,
      tagLabels: [...new Set(placeholdersWithin(constraints as Json[]).map(({ written }) => labelKey(written)))],
      groupIds: (policy.Groups ?? []).flatMap(({ GroupId }) => idText(GroupId) ?? []),
      userIds,
      constraints,
    },
  });
}

function foldersBelow(node: LibraryNode, above: string): KnownObject[] {
  const name = node.text ?? '';
  const path = above === '' ? name : `${above}/${name}`;
  return [...known(node.id, name, above), ...(node.children ?? []).flatMap((child) => foldersBelow(child, path))];
}
