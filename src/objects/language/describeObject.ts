import type { KnownObject } from './knownObjects.ts';
import type { ServerFacts } from './serverFacts.ts';
import * as l10n from '../../l10n/l10n.ts';

const valuesShown = 8;

/** Facts about an object that administrators need, one per line. */
export function describeObject(object: KnownObject, facts: ServerFacts): string[] {
  const { detail, tag, user, memberCount, reportType, policy } = object;
  if (tag) return describeTag(object, facts);
  return [
    ...(detail === '' ? [] : [detail]),
    ...(memberCount === undefined ? [] : [memberCount === 1 ? l10n.t('1 member') : l10n.t('{0} members', memberCount)]),
    ...(user?.isLocked ? [l10n.t('locked')] : []),
    ...(user?.isAdmin ? [l10n.t('administrator')] : []),
    ...(user && user.groups.length > 0 ? [l10n.t('in {0}', user.groups.slice(0, valuesShown).join(', '))] : []),
    ...(reportType ? [l10n.t('report type {0}', reportType)] : []),
    ...(policy ? [policy.isActive ? l10n.t('active') : l10n.t('inactive')] : []),
  ];
}

function describeTag({ tag }: KnownObject, facts: ServerFacts): string[] {
  if (!tag) return [];
  const values = [
    ...[...tag.groupValues].map(
      ([id, value]) => `${facts.objects('group')?.get(id)?.name ?? l10n.t('group {0}', id)} = ${value}`,
    ),
    ...[...tag.userValues].map(
      ([id, value]) => `${facts.objects('user')?.get(id)?.name ?? l10n.t('user {0}', id)} = ${value}`,
    ),
  ];
  const more = values.length > valuesShown ? [l10n.t('and {0} more values', values.length - valuesShown)] : [];
  return [
    ...values.slice(0, valuesShown),
    ...more,
    tag.defaultValue === '' ? l10n.t('no default: other users see no row') : l10n.t('default {0}', tag.defaultValue),
    ...(tag.isActive ? [] : [l10n.t('inactive')]),
  ];
}
