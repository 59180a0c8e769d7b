import * as l10n from '../../l10n/l10n.ts';

/** Label of a kind for use within a sentence. */
export function kindLabel(kind: string): string {
  switch (kind) {
    case 'policy':
      return l10n.t('policy');
    case 'tag':
      return l10n.t('data tag');
    case 'group':
      return l10n.t('group');
    case 'user':
      return l10n.t('user');
    case 'profile':
      return l10n.t('profile');
    case 'folder':
      return l10n.t('folder');
    case 'report':
      return l10n.t('report');
    case 'dashboard':
      return l10n.t('dashboard');
    case 'server':
      return l10n.t('registered server');
    case 'reporttype':
      return l10n.t('report type');
    case 'smtp':
      return l10n.t('mail configuration');
    case 'settings':
      return l10n.t('instance settings');
    case 'audit':
      return l10n.t('audit types');
    case 'licence':
      return l10n.t('licence');
    // Objects without a document.
    case 'application':
      return l10n.t('application');
    default:
      return kind;
  }
}
