import type { ReferenceKind } from './knownObjects.ts';
import { say } from '../../l10n/l10n.ts';

/** Word for a kind within a sentence. */
export function kindWord(kind: ReferenceKind): string {
  switch (kind) {
    case 'group':
      return say('security group');
    case 'user':
      return say('user');
    case 'tag':
      return say('data tag');
    case 'policy':
      return say('policy');
    case 'folder':
      return say('folder');
    case 'application':
      return say('application');
    case 'report':
      return say('report');
    case 'server':
      return say('registered server');
  }
}
