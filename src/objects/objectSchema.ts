import * as z from 'zod';
import { isHidden, isReadOnly, shapeOf, type ObjectShape } from './objectShape.ts';
import type { ObjectKind } from './objectKind.ts';

/** A JSON schema, as far as it is looked into here. */
interface SchemaNode {
  [key: string]: unknown;
}

/**
 * JSON schema of the editable view of a kind, for completion and checks in the editor: the contract's fields without the
 * hidden ones, with those that the server keeps marked read-only.
 */
export function objectSchema(kind: ObjectKind): SchemaNode {
  const schema: SchemaNode = { ...z.toJSONSchema(kind.schema, { io: 'input', unrepresentable: 'any' }) };
  return { ...forView(schema, kind.shape), title: kind.name, allowComments: false };
}

function forView(schema: SchemaNode, shape: ObjectShape): SchemaNode {
  const branches = schema.anyOf;
  if (Array.isArray(branches)) {
    return { ...schema, anyOf: branches.map((branch: unknown) => (isNode(branch) ? forView(branch, shape) : branch)) };
  }
  if (isNode(schema.items)) return { ...schema, items: forView(schema.items, shape) };
  const { properties } = schema;
  if (!isNode(properties)) return schema;
  const shown = Object.entries(properties)
    .filter(([name]) => !isHidden(shape, name))
    .map(([name, property]) => {
      const nested = isNode(property) ? forView(property, shapeOf(shape, name) ?? {}) : {};
      return [name, isReadOnly(shape, name) ? { ...nested, ...keptByServer } : nested];
    });
  const required = Array.isArray(schema.required)
    ? { required: schema.required.filter((name) => typeof name === 'string' && !isHidden(shape, name)) }
    : {};
  return { ...schema, ...required, properties: Object.fromEntries(shown) as SchemaNode };
}

const keptByServer = { readOnly: true, description: 'Kept by the server: a change is refused when you save.' };

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
