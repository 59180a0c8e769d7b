import type { Node } from 'jsonc-parser';
import { entriesOf, fieldPath, type JsonText, type Span, type TextChange } from './jsonText.ts';
import type { ServerFacts } from './serverFacts.ts';

/** A completion item. */
export interface Suggestion {
  readonly label: string;
  /** Distinguishes items with the same label; may be empty. */
  readonly detail: string;
  /** Documentation, one fact per line. */
  readonly lines: readonly string[];
  readonly icon: 'object' | 'tag' | 'field' | 'function' | 'key' | 'entry' | 'value';
  /** Replacement for `span`: text, or a snippet as in VS Code. */
  readonly insert: string;
  readonly isSnippet?: boolean;
  /** The range to replace. */
  readonly span: Span;
  /** Text that typed text is matched against. */
  readonly filter: string;
  /** Additional edits. */
  readonly alsoChanges?: readonly TextChange[];
}

/** Input of a suggestion. */
export interface SuggestContext {
  readonly document: JsonText;
  readonly kind: string;
  readonly offset: number;
  readonly facts: ServerFacts;
}

/** Position in a document at which text can be inserted. */
export type Place =
  | {
      readonly kind: 'value';
      readonly path: string;
      readonly span: Span;
      readonly node: Node | undefined;
      readonly object: Node | undefined;
    }
  | {
      readonly kind: 'entry';
      readonly path: string;
      readonly span: Span;
      readonly list: Node;
      readonly needsCommaBefore: boolean;
      readonly needsCommaAfter: boolean;
    }
  | {
      readonly kind: 'key';
      readonly path: string;
      readonly span: Span;
      readonly object: Node;
      readonly hasValue: boolean;
    };

/** The insert position at an offset; undefined if nothing can be inserted. */
export function placeAt(document: JsonText, offset: number): Place | undefined {
  return missingValue(document, offset) ?? placeOfNode(document, offset);
}

/** A property without a value: `"GroupId": |`. */
function missingValue(document: JsonText, offset: number): Place | undefined {
  const before = document.text.slice(Math.max(0, offset - 300), offset);
  const found = /"(?:[^"\\\n]|\\.)*"\s*:[ \t]*$/.exec(before);
  // Ignore a value that already exists.
  if (!found || /^[ \t]*["\w[{-]/.test(document.text.slice(offset, offset + 100))) return undefined;
  const key = document.nodeAt(offset - found[0].length + 1);
  if (key?.type !== 'string' || key.parent?.type !== 'property') return undefined;
  const object = key.parent.parent;
  const above = object ? fieldPath(object) : '';
  const path = above === '' ? String(key.value) : `${above}.${String(key.value)}`;
  return { kind: 'value', path, span: { offset, length: 0 }, node: undefined, object };
}

function placeOfNode(document: JsonText, offset: number): Place | undefined {
  const node = document.nodeAt(offset);
  if (!node) return undefined;
  const { parent } = node;
  const inside = offset > node.offset && offset < node.offset + node.length;
  if (node.type === 'array') return inside ? entryPlace(document, node, offset) : undefined;
  if (node.type === 'object') {
    if (!inside) return undefined;
    return { kind: 'key', path: fieldPath(node), span: { offset, length: 0 }, object: node, hasValue: false };
  }
  if (parent?.type === 'array' && node.type !== 'property') {
    return { kind: 'value', path: fieldPath(node), span: node, node, object: undefined };
  }
  if (parent?.type !== 'property' || !parent.parent) return undefined;
  const span = { offset: node.offset, length: node.length };
  if (parent.children?.[0] === node) {
    const hasValue = parent.children.length > 1;
    return { kind: 'key', path: fieldPath(parent.parent), span, object: parent.parent, hasValue };
  }
  return { kind: 'value', path: fieldPath(node), span, node, object: parent.parent };
}

function entryPlace({ text }: JsonText, list: Node, offset: number): Place {
  const entries = entriesOf(list);
  const before = entries.findLast((entry) => entry.offset + entry.length <= offset);
  const after = entries.find((entry) => entry.offset >= offset);
  const gapBefore = before ? text.slice(before.offset + before.length, offset) : '';
  const gapAfter = after ? text.slice(offset, after.offset) : '';
  return {
    kind: 'entry',
    path: fieldPath(list),
    span: { offset, length: 0 },
    list,
    needsCommaBefore: before !== undefined && !gapBefore.includes(','),
    needsCommaAfter: after !== undefined && !gapAfter.includes(','),
  };
}

/**
 * How to put a text at a value, which typed text is matched against as `name`. Within the quotes of a text only its
 * content is replaced: the quotes are outside the tab stop of a snippet, which ends with the cursor behind them.
 */
export function textEdit(
  { document, offset }: Pick<SuggestContext, 'document' | 'offset'>,
  { node, span }: Pick<Extract<Place, { kind: 'value' }>, 'node' | 'span'>,
  value: string,
  name = value,
): Pick<Suggestion, 'insert' | 'span' | 'filter'> {
  const insert = JSON.stringify(value);
  if (!node) return { insert, span, filter: name };
  const end = node.offset + node.length - 1;
  const isWithin = node.type === 'string' && offset > node.offset && offset <= end && document.text[end] === '"';
  if (!isWithin) return { insert, span, filter: `${node.type === 'string' ? '"' : String(node.value)}${name}` };
  const content = { offset: node.offset + 1, length: node.length - 2 };
  return { insert: insert.slice(1, -1), span: content, filter: name };
}

/** Escapes text for a snippet. */
export function snippetText(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
