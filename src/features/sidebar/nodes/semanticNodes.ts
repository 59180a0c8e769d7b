import { findProduct, type Application, type RegisteredServer } from '../../../contract/resources/application.ts';
import type { ReportTreeNode } from '../../../contract/resources/semanticLayer.ts';
import { displayText } from '../../../editor/displayText.ts';
import { idText } from '../../../contract/idText.ts';
import { compareNames } from '../../../editor/nodes/libraryNodes.ts';
import type { DatabaseFacts, SeatFacts, Fact } from '../../../editor/nodes/nodeFacts.ts';
import type {
  ApplicationNode,
  FieldNode,
  RegisteredServerNode,
  ReportTypeNode,
  SectionNode,
  FactNode,
  SettingName,
  SettingNode,
} from '../../../editor/nodes/treeNode.ts';
import {
  isRecorded,
  type AuditType,
  type InstanceSettings,
  type Smtp,
} from '../../../contract/resources/administration.ts';

/** Applications, sorted by name, without the user records they include. API description, Application. */
export function applicationNodes(parent: SectionNode, applications: readonly Application[]): ApplicationNode[] {
  const { connection } = parent;
  return applications
    .map((entry): ApplicationNode => {
      const product = findProduct(entry);
      const applicationId = idText(product?.ID);
      return {
        kind: 'application',
        id: `${parent.id}/${applicationId}`,
        connection,
        parent,
        applicationId,
        name: displayText(product?.Name) || applicationId,
        moduleType: displayText(product?.ModuleType),
        seats: seatFacts(entry),
        servers: (entry.RegisteredServers ?? []).map(databaseFacts),
      };
    })
    .sort((a, b) => compareNames(a.name, b.name));
}

/** Registered servers of an application, sorted by name. @param all of the server, if the application lists none. */
export function registeredServerNodes(
  parent: ApplicationNode,
  all: readonly RegisteredServer[] = [],
): RegisteredServerNode[] {
  const { connection, applicationId } = parent;
  const own = all.filter((server) => idText(findProduct(server)?.ID) === applicationId);
  return [...parent.servers, ...own.map(databaseFacts)]
    .map((database): RegisteredServerNode => {
      return { kind: 'registeredServer', id: `${parent.id}/${database.serverId}`, connection, parent, database };
    })
    .sort((a, b) => compareNames(a.database.name, b.database.name));
}

/** Report types of a registered server, sorted by name. */
export function reportTypeNodes(
  parent: RegisteredServerNode,
  types: readonly { reporttypeid?: number | null; name?: string | null }[],
): ReportTypeNode[] {
  const { connection } = parent;
  return types
    .map((type): ReportTypeNode => {
      const reportTypeId = idText(type.reporttypeid);
      return {
        kind: 'reportType',
        id: `${parent.id}/${reportTypeId}`,
        connection,
        parent,
        reportTypeId,
        name: displayText(type.name) || reportTypeId,
        wireName: type.name ?? '',
      };
    })
    .sort((a, b) => compareNames(a.name, b.name));
}

/**
 * Fields and folders in the order of the report type; ids are derived from their positions, since servers may repeat
 * theirs.
 */
export function fieldNodes(parent: ReportTypeNode | FieldNode, children: readonly ReportTreeNode[]): FieldNode[] {
  const { connection } = parent;
  return children.map((entry, index): FieldNode => {
    const below = entry.children ?? [];
    const isFolder = entry.type === 'Folder' || below.length > 0;
    const column = [entry.dbtablealias, entry.dbfieldname].map(displayText).filter((part) => part !== '');
    return {
      kind: isFolder ? 'fieldFolder' : 'field',
      id: `${parent.id}/${idText(entry.id) || index}`,
      connection,
      parent,
      name: displayText(entry.text) || idText(entry.id),
      fieldType: isFolder ? '' : displayText(entry.fieldtype),
      column: column.join('.'),
      children: below,
    };
  });
}

function seatFacts({ ModuleProfile: profile }: Application): SeatFacts {
  return {
    licensed: profile?.LicensedQuanity ?? 0,
    consumed: profile?.ConsumedQuanity ?? 0,
    architects: profile?.ArchitectConsumptionCount ?? 0,
    builders: profile?.BuilderConsumptionCount ?? 0,
    agents: profile?.AgentConsumptionCount ?? 0,
    expires: displayText(profile?.NextExpiration),
    isExpired: profile?.IsExpired === true,
    isLicensed: profile?.isLicensed !== false,
  };
}

function databaseFacts(server: RegisteredServer): DatabaseFacts {
  const serverId = idText(server.ID);
  return {
    serverId,
    name: displayText(server.DisplayName) || displayText(server.DatabaseName) || serverId,
    moduleType: server.ModuleType ?? findProduct(server)?.ModuleType ?? '',
    platform: displayText(server.DatabasePlatform),
    host: displayText(server.DatabaseServer),
    database: displayText(server.DatabaseName),
    login: displayText(server.DatabaseLogin),
    owner: displayText(server.DatabaseOwner),
    commandTimeout: server.CommandTimeout ?? 0,
  };
}

/** Secrets and fields that are not settings; they are not shown. */
const notShown = ['ErrorCode', 'ErrorMessage', 'Revision', 'mfa_clientsecret', 'SMTPPassword'];

/** The parts of Administration, in sidebar order. */
export function settingNodes(parent: SectionNode): SettingNode[] {
  return (['settings', 'smtp', 'audit', 'licences'] as const).map((setting: SettingName) => ({
    kind: 'setting',
    id: `${parent.id}/${setting}`,
    connection: parent.connection,
    parent,
    setting,
  }));
}

/** One fact per setting with a value, in the server's order. API description, Instance settings, SMTP configuration. */
export function settingFacts(parent: SettingNode, settings: InstanceSettings | Smtp): FactNode[] {
  return Object.entries(settings).flatMap(([name, value]): FactNode[] => {
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (!isPlain || value === '' || notShown.includes(name)) return [];
    return [factNode(parent, name, displayText(name), { kind: 'setting', value: displayText(String(value)) })];
  });
}

/** Audit types, sorted by symbol. API description, Audit type. */
export function auditFacts(parent: SettingNode, types: readonly AuditType[]): FactNode[] {
  return types
    .map((type): FactNode => {
      const name = displayText(type.symbol) || idText(type.ID);
      return factNode(parent, idText(type.ID), name, {
        kind: 'audit',
        isRecorded: isRecorded(type),
        days: type.retention ?? 0,
      });
    })
    .sort((a, b) => compareNames(a.name, b.name));
}

/** The installation id, followed by the seats of each application, sorted by name. API description, Licensing. */
export function licenceFacts(
  parent: SettingNode,
  installationId: string,
  applications: readonly Application[],
): FactNode[] {
  const seats = applicationNodes(parent.parent, applications).map(({ applicationId, name, seats: facts }) =>
    factNode(parent, `application/${applicationId}`, name, { kind: 'seats', applicationId, seats: facts }),
  );
  return [factNode(parent, 'installation', '', { kind: 'installation', value: displayText(installationId) }), ...seats];
}

function factNode(parent: SettingNode, idInPlace: string, name: string, fact: Fact): FactNode {
  return { kind: 'fact', id: `${parent.id}/${idInPlace}`, connection: parent.connection, parent, name, fact };
}
