import { say } from '../../l10n/l10n.ts';

/** Label of a kind for use within a sentence. */
export function kindLabel(kind: string): string {
  switch (kind) {
    case 'policy':
      return say('policy');
    case 'tag':
      return say('data tag');
    case 'group':
      return say('group');
    case 'user':
      return say('user');
    case 'profile':
      return say('profile');
    case 'folder':
      return say('folder');
    case 'report':
      return say('report');
    case 'server':
      return say('registered server');
    case 'reporttype':
      return say('report type');
    case 'smtp':
      return say('mail configuration');
    case 'settings':
      return say('instance settings');
    case 'audit':
      return say('audit types');
    default:
      return kind;
  }
}
