import type { KnownObject } from './knownObjects.ts';
import type { ServerFacts } from './serverFacts.ts';
import { say } from '../../l10n/l10n.ts';

const valuesShown = 8;

/** Facts about an object that administrators need, one per line. */
export function describeObject(object: KnownObject, facts: ServerFacts): string[] {
  const { detail, tag, user, memberCount, reportType, policy } = object;
  if (tag) return describeTag(object, facts);
  return [
    ...(detail === '' ? [] : [detail]),
    ...(memberCount === undefined ? [] : [memberCount === 1 ? say('1 member') : say('{0} members', memberCount)]),
    ...(user?.isLocked ? [say('locked')] : []),
    ...(user?.isAdmin ? [say('administrator')] : []),
    ...(user && user.groups.length > 0 ? [say('in {0}', user.groups.slice(0, valuesShown).join(', '))] : []),
    ...(reportType ? [say('report type {0}', reportType)] : []),
    ...(policy ? [policy.isActive ? say('active') : say('inactive')] : []),
  ];
}

function describeTag({ tag }: KnownObject, facts: ServerFacts): string[] {
  if (!tag) return [];
  const values = [
    ...[...tag.groupValues].map(
      ([id, value]) => `${facts.objects('group')?.get(id)?.name ?? say('group {0}', id)} = ${value}`,
    ),
    ...[...tag.userValues].map(
      ([id, value]) => `${facts.objects('user')?.get(id)?.name ?? say('user {0}', id)} = ${value}`,
    ),
  ];
  const more = values.length > valuesShown ? [say('and {0} more values', values.length - valuesShown)] : [];
  return [
    ...values.slice(0, valuesShown),
    ...more,
    tag.defaultValue === '' ? say('no default: other users see no row') : say('default {0}', tag.defaultValue),
    ...(tag.isActive ? [] : [say('inactive')]),
  ];
}
