import * as vscode from 'vscode';
import { needsAttention, seatLines, seatWords } from './semanticItem.ts';
import { lines } from '../../../editor/nodes/tooltipLines.ts';
import { settingName } from '../../../editor/nodes/objectTarget.ts';
import type { FactNode, SettingName, SettingNode } from '../../../editor/nodes/treeNode.ts';

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** How the parts of Administration and the facts below them look. */
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
      return vscode.l10n.t('The mail server that reports are sent through');
    case 'audit':
      return vscode.l10n.t('What the server records, and for how long');
    case 'licences':
      return vscode.l10n.t('Installation id and seats of the applications');
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
      const item = plain(name, seatWords(fact.seats), new vscode.ThemeIcon('package'));
      if (needsAttention(fact.seats)) {
        item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
      }
      item.tooltip = lines(name, seatLines(fact.seats));
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
