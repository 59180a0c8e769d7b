import type { Node } from 'jsonc-parser';
import { isSameJson } from '../../merge/canonicalJson.ts';
import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { noteOf } from '../../notes/notesOf.ts';
import { isReadOnly, shapeOf, type FieldShape, type ObjectShape } from '../../kinds/objectShape.ts';
import {
  entriesOf,
  fieldNode,
  fieldPath,
  indentAt,
  propertyOf,
  removal,
  replacement,
  type JsonText,
} from '../jsonText.ts';
import { nearest, type Fix, type Problem, type ProblemContext } from './problem.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** Names of fields with secrets, for any kind. */
const secretName = /passw|^pwd$|^pin$|secret|token$|api_?key|^dbpass$/i;
/** A secret in a settings text, such as `password=…;`. */
const secretSetting = /\b(?:password|pwd|secret|api_?key)\s*=\s*([^;\s"]+);?/i;
/** Text nested more deeply is not an object of a server. */
const deepest = 12;

/** Secrets in text, which end up in backups and clipboards. */
export function secretProblems({ document, kind }: ProblemContext): Problem[] {
  const problems: Problem[] = [];
  const look = (node: Node, depth: number): void => {
    if (depth > deepest) return;
    for (const child of node.children ?? []) {
      const [name, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
      if (!value) continue;
      if (name && typeof value.value === 'string' && value.value !== '' && isSecret(kind.name, name, value)) {
        problems.push({
          code: 'secretInText',
          severity: 'error',
          offset: value.offset,
          length: value.length,
          message: l10n.t(
            'Do not store secrets in text: backups and the clipboard keep them. Leave this field out; when you save, you are asked for the secret if the server needs it.',
          ),
          fixes: [
            { title: l10n.t('Remove {0}', String(name.value)), changes: [removal(document, child)], isPreferred: true },
          ],
        });
      } else if (name?.value === 'additionalparams' && typeof value.value === 'string') {
        const found = secretSetting.exec(document.text.slice(value.offset, value.offset + value.length));
        if (found) {
          const span = { offset: value.offset + found.index, length: found[0].length };
          problems.push({
            code: 'secretInText',
            severity: 'error',
            ...span,
            message: l10n.t(
              'Do not store secrets in text: when you save, you are asked for the password of the account.',
            ),
            fixes: [{ title: l10n.t('Remove the secret'), changes: [{ ...span, text: '' }], isPreferred: true }],
          });
        }
      }
      if (value.children) look(value, depth + 1);
    }
  };
  if (document.root) look(document.root, 0);
  return problems;
}

/** A documented field is not a secret, whatever its name. */
function isSecret(kind: string, name: Node, value: Node): boolean {
  return secretName.test(String(name.value)) && noteOf(kind, fieldPath(value)) === undefined;
}

/** Edited read-only fields, with which a save would be refused. */
export function readOnlyProblems(context: ProblemContext): Problem[] {
  const { document, base, kind } = context;
  const mine = document.value;
  if (!base || !isJsonObject(mine) || !document.root) return [];
  return editedIn(context, document.root, { base, mine }, kind.shape);
}

function editedIn(
  context: ProblemContext,
  node: Node,
  { base, mine }: { base: JsonObject; mine: JsonObject },
  shape: ObjectShape,
): Problem[] {
  return Object.keys(base).flatMap((name) => {
    const before = fieldOf(base, name);
    const now = fieldOf(mine, name);
    const own = shapeOf(shape, name);
    if (isReadOnly(shape, name)) {
      return before === undefined || isSameJson(before, now, own) ? [] : [readOnlyEdit(context, node, name, before)];
    }
    const value = fieldNode(node, name);
    if (!own || !value || before === undefined || now === undefined) return [];
    if (isJsonObject(before) && isJsonObject(now)) return editedIn(context, value, { base: before, mine: now }, own);
    return editedEntries(context, value, before, own);
  });
}

function editedEntries(context: ProblemContext, list: Node, base: Json, shape: FieldShape): Problem[] {
  const { key } = shape;
  if (key === undefined || !shape.readOnly || list.type !== 'array' || !Array.isArray(base)) return [];
  const known = new Map(base.filter(isJsonObject).map((entry) => [identifierText(fieldOf(entry, key)), entry]));
  return entriesOf(list).flatMap((node) => {
    const mine = context.document.valueOf(node);
    if (!isJsonObject(mine ?? null) || mine === undefined || !isJsonObject(mine)) return [];
    const before = known.get(identifierText(fieldOf(mine, key)));
    return before ? editedIn(context, node, { base: before, mine }, shape) : [];
  });
}

function readOnlyEdit({ document, server }: ProblemContext, object: Node, name: string, before: Json): Problem {
  const { offset, length } = propertyOf(object, name)?.children?.[0] ?? { offset: object.offset, length: 1 };
  return {
    code: 'readOnlyEdit',
    severity: 'error',
    offset,
    length,
    message: l10n.t('{0} sets {1} itself and rejects a save with another value.', server, name),
    fixes: [{ ...putBack(document, object, name, before), isSure: true }],
  };
}

/** The edits that restore the previous value of a field, whether changed or removed. */
function putBack(document: JsonText, object: Node, name: string, before: Json): Fix {
  const property = propertyOf(object, name);
  const value = property?.children?.[1];
  const first = object.children?.[0];
  const indent = indentAt(document, property?.offset ?? first?.offset ?? object.offset);
  const text = `${JSON.stringify(name)}: ${JSON.stringify(before, undefined, 2).replaceAll('\n', `\n${indent}`)}`;
  const change = value
    ? replacement(value, before, indent)
    : { offset: first?.offset ?? object.offset + 1, length: 0, text: first ? `${text},\n${indent}` : text };
  return { title: l10n.t('Restore {0}', name), changes: [change], isPreferred: true };
}

/**
 * Fields removed from the text: objects are sent as a whole, so a save removes the fields, which is rarely intended.
 */
export function leftOutProblems({ document, base, kind, server }: ProblemContext): Problem[] {
  const { root, value: mine } = document;
  if (!base || !root || !isJsonObject(mine)) return [];
  return Object.entries(base)
    .filter(([name]) => !isReadOnly(kind.shape, name) && !Object.hasOwn(mine, name))
    .map(([name, before]): Problem => ({
      code: 'leftOut',
      severity: 'warning',
      offset: root.offset,
      length: 1,
      message: l10n.t('{0} is missing: saving removes it from {1}, or clears it.', name, server),
      fixes: [putBack(document, root, name, before)],
    }));
}

/** Values that are not in the contract of a field. */
export function valueProblems({ document, kind }: ProblemContext): Problem[] {
  const problems: Problem[] = [];
  const look = (node: Node, path: string, depth: number): void => {
    if (depth > deepest) return;
    if (node.type === 'array') return node.children?.forEach((entry) => look(entry, path, depth + 1));
    for (const property of node.children ?? []) {
      const [name, value] = property.children ?? [];
      if (!name || !value) continue;
      const here = path === '' ? String(name.value) : `${path}.${String(name.value)}`;
      if (value.children) look(value, here, depth + 1);
      else problems.push(...unknownValue(value, here));
    }
  };
  const unknownValue = (value: Node, path: string): Problem[] => {
    const note = noteOf(kind.name, path);
    const written: unknown = value.value;
    if (!note?.choices || note.isOpen || (typeof written !== 'string' && typeof written !== 'number')) return [];
    const text = String(written);
    if (text === '') return [];
    if (note.choices.some((choice) => String(choice.value) === text)) return [];
    const candidates = nearest(text, note.choices, (choice) => String(choice.value));
    return [
      {
        code: 'unknownValue',
        severity: 'warning',
        offset: value.offset,
        length: value.length,
        message: l10n.t(
          '{0} is not a known value of {1}. Known values: {2}.',
          text,
          path,
          note.choices.map((choice) => choice.value).join(', '),
        ),
        fixes: candidates.map((choice) => ({
          title: l10n.t('Change to {0} ({1})', choice.value, choice.meaning),
          changes: [replacement(value, choice.value)],
        })),
      },
    ];
  };
  if (document.root) look(document.root, '', 0);
  return problems;
}
