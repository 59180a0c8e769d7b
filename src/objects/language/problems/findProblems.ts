import type { Node } from 'jsonc-parser';
import { columnTypeProblems } from './columnTypeProblems.ts';
import { constraintProblems } from './constraintProblems.ts';
import { inactiveFieldProblems } from '../../save/riskyChanges.ts';
import { linkProblems } from './linkProblems.ts';
import { type Problem, type ProblemContext, nearest } from './problem.ts';
import { referenceProblems } from './referenceProblems.ts';
import { reportProblems } from './reportProblems.ts';
import { reportTypeProblems } from './reportTypeProblems.ts';
import { duplicateNames, stateProblems } from './stateProblems.ts';
import { timeZoneProblems } from '../timeZones.ts';
import { leftOutProblems, readOnlyProblems, secretProblems, valueProblems } from './textProblems.ts';
import {
  isOwnField,
  ownFields,
  isProfilePlaceholder,
  placeholderOf,
  problemOf,
} from '../../../contract/placeholders.ts';
import * as l10n from '../../../l10n/l10n.ts';
import { entriesOf, propertyOf } from '../jsonText.ts';
import {
  placeholdersIn,
  constraintTexts,
  placeholdersAt,
  referencesIn,
  type PlacedPlaceholder,
} from '../references.ts';
import type { KnownObject, TagFacts } from '../knownObjects.ts';
import { tagOf, type ServerFacts } from '../serverFacts.ts';

/** Server field with the names of the profile fields that the user has set. Not in the API description. */
const selfSetFieldsName = 'SelfSetFields';

const mostNames = 5;

/** Profile fields set by users themselves: in their documents, and in comparisons of policies. */
function selfSetProblems(context: ProblemContext): Problem[] {
  return context.kind.name === 'user' ? fieldsToConfirm(context) : placeholdersToConfirm(context);
}

function fieldsToConfirm({ document: { root } }: ProblemContext): Problem[] {
  const list = propertyOf(root, selfSetFieldsName)?.children?.[1];
  if (list?.type !== 'array') return [];
  return entriesOf(list).flatMap((entry): Problem[] => {
    const { offset, length } = entry;
    const value: unknown = entry.value;
    if (typeof value !== 'string') return [];
    const message = l10n.t(
      'The user set {0}, so it has no value in policies, and policies that compare with it show no rows. To confirm the value, remove its name from this list and save.',
      value,
    );
    return [{ code: 'selfSetField', severity: 'information', offset, length, message, fixes: [] }];
  });
}

function placeholdersToConfirm({ document, kind, facts }: ProblemContext): Problem[] {
  const users = [...(facts.objects('user')?.values() ?? [])];
  return placeholdersIn(document, kind.name).flatMap(({ label: { normal = '' }, offset, length }): Problem[] => {
    if (!isOwnField(normal)) return [];
    const field = ownFields[normal];
    const names = users.filter(({ user }) => user?.selfSetFields.includes(field)).map(({ name }) => name);
    if (names.length === 0) return [];
    const message = l10n.t(
      'Users who set {0} themselves see no rows: {1}. To confirm a value, remove {0} from SelfSetFields of the user.',
      field,
      shortList(names),
    );
    return [{ code: 'selfSetPlaceholder', severity: 'warning', offset, length, message, fixes: [] }];
  });
}

function shortList(names: readonly string[]): string {
  return names.slice(0, mostNames).join(', ') + (names.length > mostNames ? ', …' : '');
}

/** Placeholders without a data tag, and tags without a value for some users. */
function placeholderProblems(context: ProblemContext): Problem[] {
  return constraintTexts(context.document, context.kind.name).flatMap((node) =>
    problemOf(node.value as string)
      ? [uncertainValue(node)]
      : placeholdersAt(context.document, node).flatMap((placeholder) => tagProblems(context, placeholder)),
  );
}

/** A placeholder without a value, or possibly without one. */
function uncertainValue({ offset, length }: Node): Problem {
  const message = l10n.t(
    'A placeholder in this value is incomplete, has no label, or contains invisible or look-alike characters. The policy then shows no rows, or the report fails. Enter /#label#/ in plain letters.',
  );
  return { code: 'uncertainPlaceholder', severity: 'error', offset, length, message, fixes: [] };
}

function tagProblems(context: ProblemContext, placeholder: PlacedPlaceholder): Problem[] {
  const tags = context.facts.objects('tag');
  const { normal = '' } = placeholder.label;
  if (!tags || isProfilePlaceholder(normal)) return [];
  const tag = tagOf(context.facts, placeholder.label);
  if (!tag) return [unknownTag(context, placeholder, tags)];
  return [...inactiveTag(placeholder, tag), ...tagWithoutValue(context, placeholder, tag)];
}

function unknownTag(
  { server }: ProblemContext,
  { written, offset, length }: PlacedPlaceholder,
  tags: ReadonlyMap<string, KnownObject>,
): Problem {
  const candidates = nearest(written.trim(), tags.values(), ({ name }) => name);
  return {
    code: 'unknownTag',
    severity: 'error',
    offset,
    length,
    message: l10n.t(
      '{1} has no data tag "{0}": rows compared with it are hidden, or the report fails.',
      written.trim(),
      server,
    ),
    fixes: candidates.map(({ name }, index) => ({
      title: l10n.t('Change to {0}', placeholderOf(name)),
      changes: [{ offset, length, text: JSON.stringify(placeholderOf(name)).slice(1, -1) }],
      isPreferred: index === 0 && candidates.length === 1,
    })),
  };
}

function inactiveTag({ offset, length }: PlacedPlaceholder, { name, tag }: KnownObject): Problem[] {
  if (tag?.isActive !== false) return [];
  const message = l10n.t(
    'Data tag "{0}" is inactive and has no value: rows compared with it are hidden, or the report fails.',
    name,
  );
  return [{ code: 'inactiveTag', severity: 'warning', offset, length, message, fixes: [] }];
}

/** The restricted users or groups without a value of a tag that has no default. */
function tagWithoutValue(
  context: ProblemContext,
  { offset, length }: PlacedPlaceholder,
  known: KnownObject,
): Problem[] {
  const { tag } = known;
  const { document, kind, facts } = context;
  if (!tag || tag.defaultValue !== '') return [];
  const restricted = referencesIn(document, kind.name).flatMap(({ row, id }) => {
    if (row.path === 'Groups.GroupId') return tag.groupValues.has(id) ? [] : membersOf(facts, id);
    return row.path === 'Users.ID' ? [id] : [];
  });
  const without = [...new Set(restricted)].filter((id) => !tag.userValues.has(id) && !hasGroupValue(facts, tag, id));
  if (without.length === 0) return [];
  const names = without.map((id) => facts.objects('user')?.get(id)?.name ?? id).slice(0, 5);
  const more = without.length > names.length ? ' …' : '';
  return [
    {
      code: 'tagWithoutValue',
      severity: 'information',
      offset,
      length,
      message: l10n.t(
        'Data tag "{0}" has no default and no value for {1}: they see no rows.',
        known.name,
        names.join(', ') + more,
      ),
      fixes: [],
    },
  ];
}

/** Ids of the members of a group, as far as known. */
function membersOf(facts: ServerFacts, groupId: string): string[] {
  const name = facts.objects('group')?.get(groupId)?.name;
  const users = [...(facts.objects('user')?.values() ?? [])];
  return name === undefined ? [] : users.flatMap(({ id, user }) => (user?.groups.includes(name) ? [id] : []));
}

/** Whether a user gets a value from a group; assumed for users whose groups are unknown. */
function hasGroupValue(facts: ServerFacts, tag: TagFacts, userId: string): boolean {
  const groups = facts.objects('group');
  const user = facts.objects('user')?.get(userId)?.user;
  if (!groups || !user) return true;
  const names = new Set([...tag.groupValues.keys()].map((id) => groups.get(id)?.name));
  return user.groups.some((name) => names.has(name));
}

const rules = [
  referenceProblems,
  placeholderProblems,
  stateProblems,
  inactiveFieldProblems,
  selfSetProblems,
  duplicateNames,
  secretProblems,
  readOnlyProblems,
  leftOutProblems,
  valueProblems,
  timeZoneProblems,
  reportProblems,
  linkProblems,
  reportTypeProblems,
  columnTypeProblems,
  constraintProblems,
];
/** More are not useful. */
const problemsAtMost = 1_000;

/** All problems of a document, in text order. Text that is not an object has none. */
export function findProblems(context: ProblemContext): Problem[] {
  if (context.document.root?.type !== 'object') return [];
  return rules
    .flatMap((rule) => rule(context))
    .sort((a, b) => a.offset - b.offset)
    .slice(0, problemsAtMost);
}
