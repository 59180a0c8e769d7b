import * as z from 'zod';
import type { FieldNote } from '../notes/fieldNote.ts';
import { notedPaths, noteOf } from '../notes/notesOf.ts';
import { snippetsOf } from '../notes/snippets.ts';
import { isHidden, isReadOnly, shapeOf, type ObjectShape } from './objectShape.ts';
import type { ObjectKind } from './objectKind.ts';
import { say } from '../../l10n/l10n.ts';

/** A JSON schema, as far as it is looked into here. */
export interface SchemaNode {
  [key: string]: unknown;
}

/**
 * JSON schema of the editable view of a kind, for completion and checks in the editor: the contract's fields without the
 * hidden ones, with what each means, the values it is known to have, and those that the server keeps marked read-only.
 * Nothing is required: what a text leaves out is said where it can be compared with the server's.
 */
export function objectSchema(kind: ObjectKind): SchemaNode {
  const schema: SchemaNode = {
    ...z.toJSONSchema(kind.schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' }),
  };
  const view = forView(schema, { kind: kind.name, path: '', shape: kind.shape });
  return { ...view, title: kind.name, allowComments: false, allowTrailingCommas: false };
}

/** Where in a view a node of the schema stands. */
interface Place {
  readonly kind: string;
  /** Names of the fields down to it, joined by dots; entries of a list stand where their list does. */
  readonly path: string;
  readonly shape: ObjectShape;
}

function forView(schema: SchemaNode, place: Place): SchemaNode {
  const branches = schema.anyOf;
  if (Array.isArray(branches)) {
    return { ...schema, anyOf: branches.map((branch: unknown) => (isNode(branch) ? forView(branch, place) : branch)) };
  }
  if (isNode(schema.items)) return { ...schema, items: entrySchema(schema.items, place) };
  const { properties } = schema;
  if (!isNode(properties)) return schema;
  const shown = Object.entries(properties)
    .filter(([name]) => !isHidden(place.shape, name))
    .map(([name, property]) => [name, fieldSchema(name, isNode(property) ? property : {}, place)] as const);
  const { required: _required, ...rest } = schema;
  return { ...rest, ...bodies(place), properties: Object.fromEntries(shown) };
}

/** Fields of entries that the contract leaves out are described by what is known of them. */
function entrySchema(items: SchemaNode, place: Place): SchemaNode {
  const entry = forView(items, place);
  const listed = isNode(entry.properties) ? entry.properties : {};
  const start = place.path === '' ? '' : `${place.path}.`;
  const unlisted = notedPaths(place.kind)
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length))
    .filter((name) => !name.includes('.') && !Object.hasOwn(listed, name) && !isHidden(place.shape, name))
    .map((name) => [name, fieldSchema(name, {}, place)] as const);
  if (unlisted.length === 0) return { ...entry, ...bodies(place) };
  return { ...entry, ...bodies(place), properties: { ...listed, ...Object.fromEntries(unlisted) } };
}

function fieldSchema(name: string, property: SchemaNode, { kind, path, shape }: Place): SchemaNode {
  const here = path === '' ? name : `${path}.${name}`;
  const nested = forView(property, { kind, path: here, shape: shapeOf(shape, name) ?? {} });
  const note = noteOf(kind, here);
  const described = note ? withNote(nested, note) : nested;
  if (!isReadOnly(shape, name)) return described;
  const kept = say('Kept by the server: a change is refused when you save.');
  return { ...described, readOnly: true, description: note ? `${note.text} ${kept}` : kept };
}

/** Known values are offered, but none is refused here: whether an unknown one is a mistake is said in plain words. */
function withNote(schema: SchemaNode, { text, choices }: FieldNote): SchemaNode {
  const described: SchemaNode = { ...schema, description: text };
  if (!choices) return described;
  const known = { enum: choices.map(({ value }) => value), enumDescriptions: choices.map(({ meaning }) => meaning) };
  const { type, anyOf, ...rest } = described;
  const open = Array.isArray(anyOf) ? (anyOf as unknown[]) : [type === undefined ? {} : { type }];
  return { ...rest, anyOf: [known, ...open] };
}

function bodies({ kind, path }: Place): SchemaNode {
  const found = snippetsOf(kind, path);
  return found.length === 0 ? {} : { defaultSnippets: found };
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
