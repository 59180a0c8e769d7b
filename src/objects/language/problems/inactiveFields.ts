import { entriesOf, propertyOf } from '../jsonText.ts';
import type { Problem, ProblemContext } from './problem.ts';
import { say } from '../../../l10n/l10n.ts';

/** Field in which a server names those that it stores and does not act on. The API description does not list it. */
export const inactiveFieldsName = 'InactiveSettings';

const offValues: readonly unknown[] = ['', 'False', 'none', 'PIN', false, null];

/** Fields that are switched on although the server itself says that nothing follows from them. */
export function inactiveFieldProblems({ document }: ProblemContext): Problem[] {
  const { root } = document;
  const named = propertyOf(root, inactiveFieldsName)?.children?.[1];
  if (named?.type !== 'array') return [];
  const names = new Set(entriesOf(named).map(({ value }): unknown => value));
  return [...names].flatMap((name) => {
    const [key, value] = (typeof name === 'string' && propertyOf(root, name)?.children) || [];
    // A number says nothing about on and off.
    if (!key || !value || typeof value.value === 'number' || offValues.includes(value.value)) return [];
    return [
      {
        code: 'inactiveField' as const,
        severity: 'information' as const,
        offset: key.offset,
        length: key.length,
        message: say('The server stores this and does not act on it.'),
        fixes: [],
      },
    ];
  });
}
