import type { ReferenceKind } from './knownObjects.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Word for a kind within a sentence. */
export function kindWord(kind: ReferenceKind): string {
  switch (kind) {
    case 'group':
      return l10n.t('security group');
    case 'user':
      return l10n.t('user');
    case 'tag':
      return l10n.t('data tag');
    case 'policy':
      return l10n.t('policy');
    case 'folder':
      return l10n.t('folder');
    case 'application':
      return l10n.t('application');
    case 'report':
      return l10n.t('report');
    case 'server':
      return l10n.t('registered server');
  }
}
