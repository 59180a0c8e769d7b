import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A text that users read, as the code has it. */
export interface Message {
  text: string;
  /** What translators should know. */
  comment: string[];
  /** Files that say it, relative to the root. */
  files: string[];
}

/** What the code says, by key as `vscode.l10n.t` forms it, and calls whose text cannot be collected. */
export interface Collected {
  messages: Map<string, Message>;
  problems: string[];
}

/** Calls whose first argument is a text: of VS Code's module, and of the one for rooms without the editor. */
const sayers = /^(?:vscode\.)?l10n\.t$/;
/** Errors that users read, with the place of the message among the arguments. */
const errors: Readonly<Record<string, number>> = { ClientError: 1, ResultReadError: 2, CommandError: 0 };
/** Calls that show their first argument. */
const shows = /^vscode\.window\.(?:show(?:Information|Warning|Error)Message|setStatusBarMessage)$/;
/** The one module that passes texts on without knowing them. */
const passesOn = 'src/l10n/l10n.ts';

/** Collects every text of src/ that is translated: of calls, and of tables marked `@l10n`. The server is no part of it. */
export function collectMessages(root: string): Collected {
  const collected: Collected = { messages: new Map(), problems: [] };
  const names = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => /(?<!\.as|\.d)\.tsx?$/.test(name) && !name.startsWith('src/server/') && name !== passesOn);
  for (const name of names.sort()) collectFile(name, readFileSync(path.join(root, name), 'utf8'), collected);
  return collected;
}

/** Collects the texts of one file into `collected`. */
export function collectFile(name: string, source: string, collected: Collected): void {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, kind);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && sayers.test(node.expression.getText().replace(/\s+/g, ''))) {
      collectCall(node, file, collected);
    }
    if (ts.isNewExpression(node)) {
      const place = errors[node.expression.getText()];
      if (place !== undefined) checkSaid(node.arguments?.[place], file, collected);
    }
    if (ts.isCallExpression(node) && shows.test(node.expression.getText())) {
      checkSaid(node.arguments[0], file, collected);
    }
    if (ts.isVariableStatement(node)) collectTable(node, file, collected);
    ts.forEachChild(node, visit);
  };
  visit(file);
}

function collectCall(call: ts.CallExpression, file: ts.SourceFile, collected: Collected): void {
  const [first] = call.arguments;
  if (first && ts.isObjectLiteralExpression(first)) {
    const [message] = textsOf(valueOf(first, 'message'));
    const comment = textsOf(valueOf(first, 'comment'));
    if (message !== undefined) return add(collected, message, comment, file);
  }
  const texts = textsOf(first);
  for (const text of texts) add(collected, text, [], file);
  if (texts.length > 0) return;
  const { line } = file.getLineAndCharacterOfPosition(call.getStart());
  collected.problems.push(`${file.fileName}:${line + 1} says what cannot be collected: ${call.getText()}`);
}

/** Notes a message that is written out in place of being said. */
function checkSaid(message: ts.Expression | undefined, file: ts.SourceFile, collected: Collected): void {
  if (!message || !(ts.isStringLiteralLike(message) || ts.isTemplateExpression(message))) return;
  const parts = ts.isStringLiteralLike(message)
    ? [message.text]
    : [message.head.text, ...message.templateSpans.map(({ literal }) => literal.text)];
  // Icons are no words.
  if (!parts.some((part) => /[a-z]{2}/i.test(part.replace(/\$\([\w~-]+\)/g, '')))) return;
  const { line } = file.getLineAndCharacterOfPosition(message.getStart());
  collected.problems.push(`${file.fileName}:${line + 1} is in English only: ${message.getText()}`);
}

/** The literal texts that an expression may be: one, those of a choice, or those of a list. */
function textsOf(expression: ts.Expression | undefined): string[] {
  if (!expression) return [];
  if (ts.isStringLiteralLike(expression)) return expression.text === '' ? [] : [expression.text];
  if (ts.isParenthesizedExpression(expression)) return textsOf(expression.expression);
  if (ts.isArrayLiteralExpression(expression)) return expression.elements.flatMap(textsOf);
  if (!ts.isConditionalExpression(expression)) return [];
  const [yes, no] = [textsOf(expression.whenTrue), textsOf(expression.whenFalse)];
  return yes.length > 0 && no.length > 0 ? [...yes, ...no] : [];
}

function valueOf(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const found = object.properties.find((property) => property.name?.getText() === name);
  return found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

function collectTable(statement: ts.VariableStatement, file: ts.SourceFile, collected: Collected): void {
  const tag = ts.getJSDocTags(statement).find(({ tagName }) => tagName.text === 'l10n');
  if (!tag) return;
  const names = (ts.getTextOfJSDocComment(tag.comment) ?? '').split(/[\s,]+/).filter((name) => name !== '');
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && names.length === 0) {
      for (const text of textsOf(node.initializer)) add(collected, text, [], file);
    }
    if (ts.isPropertyAssignment(node)) {
      const name = ts.isStringLiteral(node.name) ? node.name.text : node.name.getText();
      const isText = names.length === 0 ? name !== 'value' : names.includes(name);
      if (isText) for (const text of textsOf(argumentOf(node.initializer))) add(collected, text, [], file);
    }
    ts.forEachChild(node, visit);
  };
  visit(statement);
}

/** What a call in a table makes something of; else the value itself. */
function argumentOf(value: ts.Expression): ts.Expression | undefined {
  return ts.isCallExpression(value) ? value.arguments[0] : value;
}

function add(collected: Collected, text: string, comment: string[], file: ts.SourceFile): void {
  const key = comment.length === 0 ? text : `${text}/${comment.join('')}`;
  const message = collected.messages.get(key) ?? { text, comment, files: [] };
  if (!message.files.includes(file.fileName)) message.files.push(file.fileName);
  collected.messages.set(key, message);
}
