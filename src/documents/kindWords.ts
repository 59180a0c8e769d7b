import * as vscode from 'vscode';

/** What people call objects of a kind, within a sentence. */
export function kindWord(kind: string): string {
  switch (kind) {
    case 'policy':
      return vscode.l10n.t('policy');
    case 'tag':
      return vscode.l10n.t('data tag');
    case 'group':
      return vscode.l10n.t('group');
    case 'user':
      return vscode.l10n.t('user');
    case 'profile':
      return vscode.l10n.t('profile');
    case 'folder':
      return vscode.l10n.t('folder');
    case 'report':
      return vscode.l10n.t('report');
    case 'server':
      return vscode.l10n.t('registered server');
    case 'reporttype':
      return vscode.l10n.t('report type');
    case 'smtp':
      return vscode.l10n.t('mail configuration');
    case 'settings':
      return vscode.l10n.t('instance settings');
    case 'audit':
      return vscode.l10n.t('audit types');
    default:
      return kind;
  }
}
