import {
  isRecorded,
  type AuditType,
  type InstanceSettings,
  type Smtp,
} from '../../../contract/resources/administration.ts';
import type { Application } from '../../../contract/resources/application.ts';
import { displayText } from '../../../editor/displayText.ts';
import { idText } from '../../../contract/idText.ts';
import { compareNames } from '../../../editor/nodes/libraryNodes.ts';
import { applicationNodes } from './semanticNodes.ts';
import type { Fact } from '../../../editor/nodes/nodeFacts.ts';
import type { FactNode, SectionNode, SettingName, SettingNode } from '../../../editor/nodes/treeNode.ts';

/** Secrets, and what is no setting; none of it is shown. */
const notShown = ['ErrorCode', 'ErrorMessage', 'Revision', 'mfa_clientsecret', 'SMTPPassword'];

/** The parts of Administration, in the order of the sidebar. */
export function settingNodes(parent: SectionNode): SettingNode[] {
  return (['settings', 'smtp', 'audit', 'licences'] as const).map((setting: SettingName) => ({
    kind: 'setting',
    id: `${parent.id}/${setting}`,
    connection: parent.connection,
    parent,
    setting,
  }));
}

/** One fact per setting that has a value, in the server's order. API description, Instance settings, SMTP configuration. */
export function settingFacts(parent: SettingNode, settings: InstanceSettings | Smtp): FactNode[] {
  return Object.entries(settings).flatMap(([name, value]): FactNode[] => {
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (!isPlain || value === '' || notShown.includes(name)) return [];
    return [factNode(parent, name, displayText(name), { kind: 'setting', value: displayText(String(value)) })];
  });
}

/** Audit types by symbol. API description, Audit type. */
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

/** The installation id, then the seats of each application by name. API description, Licensing. */
export function licenceFacts(
  parent: SettingNode,
  installationId: string,
  applications: readonly Application[],
): FactNode[] {
  const seats = applicationNodes(parent.parent, applications).map(({ applicationId, name, seats: facts }) =>
    factNode(parent, `application/${applicationId}`, name, { kind: 'seats', seats: facts }),
  );
  return [factNode(parent, 'installation', '', { kind: 'installation', value: displayText(installationId) }), ...seats];
}

function factNode(parent: SettingNode, idInPlace: string, name: string, fact: Fact): FactNode {
  return { kind: 'fact', id: `${parent.id}/${idInPlace}`, connection: parent.connection, parent, name, fact };
}
