import fc from 'fast-check';
import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { scalarAt } from '../../src/features/builder/edits/jsonFragment.ts';

/** Names that are easily taken for something else, some of them in several objects. */
const name = fc.oneof(fc.constantFrom('a', 'b', '"', '{', 'a,b', '\\', ''), fc.string());
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, -1.5e-7, '"}', ''),
    fc.string(),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

describe('the place of a value', () => {
  it('is where a parser of the whole text has it, and nowhere for what is no single value or not there', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2, '\t'), name, fc.nat(5), (value, space, other, place) => {
        const text = JSON.stringify(value, undefined, space);
        const root = parseTree(text);
        if (!root) throw new Error('no JSON');
        for (const path of pathsOf(root)) {
          for (const asked of [path, [...path, other], [...path, place]]) {
            const node = findNodeAtLocation(root, asked);
            const isScalar = node && node.type !== 'object' && node.type !== 'array';
            expect(scalarAt(text, asked)).toEqual(isScalar ? { offset: node.offset, length: node.length } : undefined);
          }
        }
      }),
    );
  });
});

function pathsOf(node: Node, path: JSONPath = []): JSONPath[] {
  const inner = (node.children ?? []).flatMap((child, at) => {
    const [key, value] = child.type === 'property' ? (child.children ?? []) : [];
    const step: string | number = key === undefined ? at : String(key.value);
    return pathsOf(value ?? child, [...path, step]);
  });
  return [path, ...inner];
}
