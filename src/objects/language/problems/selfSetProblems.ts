import { isOwnField, ownFields } from '../../../contract/placeholders.ts';
import { say } from '../../../l10n/l10n.ts';
import { entriesOf, propertyOf } from '../jsonText.ts';
import type { Problem, ProblemContext } from './problem.ts';
import { placeholdersIn } from '../references.ts';

/** Field in which a server names those of a user's profile that the user has set. The API description does not list it. */
export const selfSetFieldsName = 'SelfSetFields';

const mostNames = 5;

/** Fields of profiles that users have set themselves: in their documents, and where a policy compares with them. */
export function selfSetProblems(context: ProblemContext): Problem[] {
  return context.kind.name === 'user' ? fieldsToConfirm(context) : placeholdersToConfirm(context);
}

function fieldsToConfirm({ document: { root } }: ProblemContext): Problem[] {
  const list = propertyOf(root, selfSetFieldsName)?.children?.[1];
  if (list?.type !== 'array') return [];
  return entriesOf(list).flatMap((entry): Problem[] => {
    const { offset, length } = entry;
    const value: unknown = entry.value;
    if (typeof value !== 'string') return [];
    const message = say(
      'The user has set {0}: it has no value in policies, which then show no row. To confirm the value, take its name out of this list and save.',
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
    const message = say(
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
