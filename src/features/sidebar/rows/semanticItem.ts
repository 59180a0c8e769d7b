import * as vscode from 'vscode';
import { type FieldFamily, fieldFamily, fieldTypes, isFieldTypeCode } from '../../../contract/fieldTypes.ts';
import { lines } from '../../../editor/displayText.ts';
import type { SeatFacts } from '../../../editor/nodes/nodeFacts.ts';
import type {
  ApplicationNode,
  FieldNode,
  RegisteredServerNode,
  ReportTypeNode,
  FactNode,
  SettingName,
  SettingNode,
} from '../../../editor/nodes/treeNode.ts';
import * as l10n from '../../../l10n/l10n.ts';
import { formatDateTime } from './formatDateTime.ts';
import { settingName } from '../../../editor/nodes/objectTarget.ts';

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** Tree item of an application, registered server, report type or field. */
export function semanticItem(
  node: ApplicationNode | RegisteredServerNode | ReportTypeNode | FieldNode,
): vscode.TreeItem {
  switch (node.kind) {
    case 'application':
      return applicationItem(node);
    case 'registeredServer':
      return databaseItem(node);
    case 'reportType':
      return reportTypeItem(node);
    case 'fieldFolder':
      return folderItem(node);
    case 'field':
      return fieldItem(node);
  }
}

/** Short summary of seats: number in use and expiry of the licence. */
export function seatSummary(seats: SeatFacts): string {
  if (!seats.isLicensed) return vscode.l10n.t('not licensed');
  if (seats.isExpired) return vscode.l10n.t('expired {0}', formatDateTime(seats.expires, vscode.env.language));
  const used = vscode.l10n.t('{0}/{1} seats', seats.consumed, seats.licensed);
  return isForever(seats.expires)
    ? used
    : vscode.l10n.t('{0} · {1}', used, formatDateTime(seats.expires, vscode.env.language));
}

/** Seats by role, one per line. */
export function seatLines(seats: SeatFacts): string {
  return lines(
    vscode.l10n.t('{0} of {1} seats used', seats.consumed, seats.licensed),
    vscode.l10n.t(
      'Architects {0} · Builders {1} · Agents {2}',
      seats.architects.toString(),
      seats.builders.toString(),
      seats.agents.toString(),
    ),
    isForever(seats.expires) ? vscode.l10n.t('The licence does not expire') : undefined,
    !isForever(seats.expires) && seats.isExpired
      ? vscode.l10n.t('Expired on {0}', formatDateTime(seats.expires, vscode.env.language))
      : undefined,
    !isForever(seats.expires) && !seats.isExpired
      ? vscode.l10n.t('Expires on {0}', formatDateTime(seats.expires, vscode.env.language))
      : undefined,
  );
}

/** Whether the licence needs attention: it has expired, or all seats are in use. */
export function needsAttention(seats: SeatFacts): boolean {
  return seats.isExpired || !seats.isLicensed || (seats.licensed > 0 && seats.consumed >= seats.licensed);
}

function isForever(expires: string): boolean {
  return expires === '' || expires.endsWith('/9999');
}

function applicationItem({ name, moduleType, seats }: ApplicationNode): vscode.TreeItem {
  const item = new vscode.TreeItem(name, Collapsed);
  item.description = seatSummary(seats);
  item.iconPath = needsAttention(seats)
    ? new vscode.ThemeIcon('package', new vscode.ThemeColor('list.warningForeground'))
    : new vscode.ThemeIcon('package');
  item.tooltip = lines(name, moduleType, seatLines(seats));
  // Screen readers do not announce line breaks, so commas separate the parts.
  const spokenSeats = seatLines(seats).replaceAll('\n', ', ');
  item.accessibilityInformation = { label: vscode.l10n.t('Application {0}, {1}', name, spokenSeats) };
  return item;
}

function databaseItem({ database }: RegisteredServerNode): vscode.TreeItem {
  const item = new vscode.TreeItem(database.name, Collapsed);
  item.description = database.platform;
  item.iconPath = new vscode.ThemeIcon('database');
  item.tooltip = lines(
    database.name,
    database.platform,
    database.host && vscode.l10n.t('Host {0}', database.host),
    database.database && vscode.l10n.t('Database {0}', database.database),
    database.login && vscode.l10n.t('Signs in as {0}', database.login),
    database.owner && vscode.l10n.t('Owner {0}', database.owner),
    database.commandTimeout > 0 ? vscode.l10n.t('Statement timeout: {0} s', database.commandTimeout) : undefined,
  );
  item.accessibilityInformation = {
    label: vscode.l10n.t('Registered server {0}, {1}', database.name, database.platform),
  };
  return item;
}

function reportTypeItem({ name, reportTypeId }: ReportTypeNode): vscode.TreeItem {
  const item = new vscode.TreeItem(name, Collapsed);
  item.iconPath = new vscode.ThemeIcon('list-tree');
  item.tooltip = lines(name, vscode.l10n.t('Report type {0}', reportTypeId));
  item.accessibilityInformation = { label: vscode.l10n.t('Report type {0}', name) };
  return item;
}

function folderItem({ name, children }: FieldNode): vscode.TreeItem {
  const item = new vscode.TreeItem(name, Collapsed);
  item.iconPath = new vscode.ThemeIcon('symbol-namespace');
  item.tooltip = lines(
    name,
    children.length === 1 ? vscode.l10n.t('1 entry') : vscode.l10n.t('{0} entries', children.length),
  );
  return item;
}

function fieldItem({ name, fieldType, column }: FieldNode): vscode.TreeItem {
  const item = new vscode.TreeItem(name, None);
  const type = isFieldTypeCode(fieldType) ? l10n.listed(fieldTypes[fieldType]) : fieldType;
  item.description = column;
  item.iconPath = new vscode.ThemeIcon(fieldIcons[fieldFamily(fieldType)]);
  item.tooltip = lines(name, type, column && vscode.l10n.t('Column {0}', column));
  item.accessibilityInformation = { label: vscode.l10n.t('Field {0}, {1}, column {2}', name, type, column) };
  return item;
}

const fieldIcons: Record<FieldFamily, string> = {
  number: 'symbol-numeric',
  moment: 'calendar',
  link: 'link',
  drillDown: 'arrow-small-down',
  formula: 'symbol-operator',
  text: 'symbol-string',
};

/** Tree item of a part of Administration or of a fact below it. */
export function administrationItem(node: SettingNode | FactNode): vscode.TreeItem {
  return node.kind === 'setting' ? settingItem(node.setting) : factItem(node);
}

const icons: Record<SettingName, string> = { settings: 'gear', smtp: 'mail', audit: 'checklist', licences: 'key' };

function settingItem(setting: SettingName): vscode.TreeItem {
  const item = new vscode.TreeItem(settingName(setting), Collapsed);
  item.iconPath = new vscode.ThemeIcon(icons[setting]);
  item.tooltip = lines(settingName(setting), explain(setting));
  return item;
}

function explain(setting: SettingName): string {
  switch (setting) {
    case 'settings':
      return vscode.l10n.t('Limits, modes and sign-in of the whole server');
    case 'smtp':
      return vscode.l10n.t('The mail server that sends reports');
    case 'audit':
      return vscode.l10n.t('Recorded events and their retention');
    case 'licences':
      return vscode.l10n.t('Installation ID and application seats');
  }
}

function factItem({ name, fact }: FactNode): vscode.TreeItem {
  switch (fact.kind) {
    case 'setting':
      return plain(name, fact.value, settingIcon(fact.value));
    case 'audit': {
      const words = fact.isRecorded ? vscode.l10n.t('{0} days', fact.days) : vscode.l10n.t('off');
      const item = plain(name, words, new vscode.ThemeIcon(fact.isRecorded ? 'pass' : 'circle-outline'));
      const whole = fact.isRecorded
        ? vscode.l10n.t('recorded, kept {0} days', fact.days)
        : vscode.l10n.t('not recorded');
      item.tooltip = lines(name, whole);
      item.accessibilityInformation = { label: vscode.l10n.t('Audit type {0}, {1}', name, whole) };
      return item;
    }
    case 'installation':
      return plain(vscode.l10n.t('Installation ID'), fact.value, new vscode.ThemeIcon('symbol-key'));
    case 'seats': {
      const item = plain(name, seatSummary(fact.seats), new vscode.ThemeIcon('package'));
      if (needsAttention(fact.seats)) {
        item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
      }
      item.tooltip = lines(name, seatLines(fact.seats));
      item.collapsibleState = Collapsed;
      return item;
    }
  }
}

function settingIcon(value: string): vscode.ThemeIcon {
  if (value === 'True') return new vscode.ThemeIcon('pass');
  return new vscode.ThemeIcon(value === 'False' ? 'circle-outline' : 'symbol-constant');
}

function plain(name: string, words: string, icon: vscode.ThemeIcon): vscode.TreeItem {
  const item = new vscode.TreeItem(name, None);
  item.description = words;
  item.iconPath = icon;
  item.tooltip = lines(name, words);
  return item;
}
