import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import { parseExact, type Json } from '../json.ts';

/** Range of a text, by offset and length in UTF-16 units. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** A text edit. */
export interface TextChange extends Span {
  readonly text: string;
}

/** The text of a document, parsed once; tolerates invalid text. */
export class JsonText {
  readonly text: string;
  readonly root: Node | undefined;
  /** Whether the text is valid JSON. */
  readonly isWhole: boolean;

  constructor(text: string) {
    this.text = text;
    const errors: ParseError[] = [];
    this.root = treeOf(text, errors);
    this.isWhole = errors.length === 0 && this.root !== undefined;
  }

  /** Value of a node with exact numbers; undefined for invalid JSON. */
  valueOf(node: Node): Json | undefined {
    try {
      return parseExact(this.text.slice(node.offset, node.offset + node.length));
    } catch {
      // Invalid text has no value; the editor reports it.
      return undefined;
    }
  }

  /** The value of the document; undefined unless it is valid JSON. */
  get value(): Json | undefined {
    return this.isWhole && this.root ? this.valueOf(this.root) : undefined;
  }

  /** The innermost node at an offset, inclusive of its end. */
  nodeAt(offset: number): Node | undefined {
    return this.root && innermost(this.root, offset);
  }
}

function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    // Nested too deeply for the stack: not an object of a server.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Binary search, because a list may have a hundred thousand entries. */
function innermost(node: Node, offset: number): Node | undefined {
  if (offset < node.offset || offset > node.offset + node.length) return undefined;
  const children = node.children ?? [];
  let low = 0;
  let high = children.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const child = children[middle];
    if (!child) break;
    if (offset < child.offset) high = middle - 1;
    else if (offset > child.offset + child.length) low = middle + 1;
    else return innermost(child, offset) ?? node;
  }
  return node;
}

/** Names of the fields down to a node, joined by dots; list entries have the path of their list. */
export function fieldPath(node: Node): string {
  const names: string[] = [];
  for (let at: Node | undefined = node; at; at = at.parent) {
    if (at.type === 'property' && at !== node) names.unshift(String(at.children?.[0]?.value));
  }
  return names.join('.');
}

/** A property of an object node, name and value; undefined if missing. The last one wins, as in JSON. */
export function propertyOf(object: Node | undefined, name: string): Node | undefined {
  if (object?.type !== 'object') return undefined;
  return object.children?.findLast((property) => property.children?.[0]?.value === name);
}

/** The value of a property of an object node. */
export function fieldNode(object: Node | undefined, name: string): Node | undefined {
  return propertyOf(object, name)?.children?.[1];
}

/** All values at a path such as `Groups.GroupId`, including those in entries of lists. */
export function nodesAt(root: Node | undefined, path: string): Node[] {
  let nodes = root ? [root] : [];
  for (const name of path.split('.')) {
    nodes = nodes.flatMap(entriesOf).flatMap((node) => fieldNode(node, name) ?? []);
  }
  return nodes;
}

/** The entries of a list, or the node itself. */
export function entriesOf(node: Node): readonly Node[] {
  return node.type === 'array' ? (node.children ?? []) : [node];
}

/** Text of an identifier node; undefined for anything else. */
export function identifierAt(node: Node | undefined): string | undefined {
  const value: unknown = node?.value;
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** The text of a string node, with the position of each of its characters in the document: escapes take several. */
export interface WrittenText {
  readonly text: string;
  /** Maps an offset in the text to the document; the text's length maps to the end. */
  inDocument(offset: number): number;
  /** Maps an offset in the document to the text. */
  inText(offset: number): number;
}

/** The text of a string node; undefined for any other node. */
export function stringNodeText({ text: document }: JsonText, node: Node): WrittenText | undefined {
  const value: unknown = node.value;
  if (node.type !== 'string' || typeof value !== 'string') return undefined;
  const places: number[] = [];
  const end = node.offset + node.length - 1;
  for (let at = node.offset + 1; at < end;) {
    places.push(at);
    at += document[at] !== '\\' ? 1 : document[at + 1] === 'u' ? 6 : 2;
  }
  places.push(end);
  return {
    text: value,
    inDocument: (offset) => places[Math.min(offset, places.length - 1)] ?? end,
    inText: (offset) => {
      const next = places.findIndex((place) => place > offset);
      return next < 0 ? value.length : Math.max(0, next - 1);
    },
  };
}

/** Text of a string node; empty for anything else. */
export function textAt(node: Node | undefined): string {
  const value: unknown = node?.value;
  return typeof value === 'string' ? value : '';
}

/** The edit that removes an entry from its list, or a property from its object, with its comma. */
export function removal({ text }: JsonText, node: Node): TextChange {
  const siblings = node.parent?.children ?? [];
  const index = siblings.indexOf(node);
  const next = siblings[index + 1];
  const before = siblings[index - 1];
  if (next) return { offset: node.offset, length: next.offset - node.offset, text: '' };
  const start = before ? before.offset + before.length : (node.parent?.offset ?? node.offset) + 1;
  const end = node.offset + node.length;
  // Only white space follows the only entry of a list, up to the bracket.
  const rest = before ? 0 : (/^\s*/.exec(text.slice(end, end + 1_000))?.[0].length ?? 0);
  return { offset: start, length: end + rest - start, text: '' };
}

/** The edit that replaces the value of a node. */
export function replacement(node: Node, value: Json, indent = ''): TextChange {
  const text = JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${indent}`);
  return { offset: node.offset, length: node.length, text };
}

/** Indentation of the line at an offset. */
export function indentAt({ text }: JsonText, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, start + 200))?.[0] ?? '';
}
