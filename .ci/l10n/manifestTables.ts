import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import * as z from 'zod';
import { readTexts } from './bundles.ts';
import type { Texts } from './translationProblems.ts';

const menuEntry = z.object({ command: z.string(), when: z.string().optional(), group: z.string().optional() });
const manifestSchema = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.string() })),
    menus: z.record(z.string(), z.array(menuEntry)),
    keybindings: z.array(z.object({ command: z.string(), key: z.string() })).optional(),
    configuration: z.object({
      properties: z.record(
        z.string(),
        z.object({ default: z.unknown(), scope: z.string(), order: z.number(), markdownDescription: z.string() }),
      ),
    }),
  }),
});

type Manifest = z.infer<typeof manifestSchema>;

/** Files with tables, and their names. */
const documents = [{ file: 'src/features/README.md', names: ['settings', 'commands'] }] as const;

/** The texts of the files with tables, as they should be. */
export function documentsWithTables(root: string): { file: string; text: string }[] {
  const tables = manifestTables(root);
  return documents.map(({ file, names }) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return { file, text: names.reduce((whole, name) => withTable(whole, name, tables[name]), text) };
  });
}

/** The tables of settings and commands, as Markdown, from what package.json and the commands' docstrings say. */
export function manifestTables(root: string): { settings: string; commands: string } {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
  const words = readTexts(path.join(root, 'package.nls.json'));
  return { settings: settingsTable(manifest, words), commands: commandsTable(root, manifest, words) };
}

/**
 * `text` with `table` between the comments `<!-- NAME: begin … -->` and `<!-- NAME: end -->`.
 * @throws Error when they are not there.
 */
export function withTable(text: string, name: string, table: string): string {
  const place = new RegExp(`(<!-- ${name}: begin[^>]*-->\\n)[^]*?(<!-- ${name}: end -->)`);
  if (!place.test(text)) throw new Error(`There is no place for the table of ${name}.`);
  return text.replace(place, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`);
}

function settingsTable({ contributes }: Manifest, words: Texts): string {
  const rows = Object.entries(contributes.configuration.properties)
    .sort(([, a], [, b]) => a.order - b.order)
    .map(([name, { default: value, markdownDescription }]) => [
      `\`${name}\``,
      `\`${JSON.stringify(value)}\``,
      // Links to other settings work in the editor alone.
      wordsOf(markdownDescription, words).replace(/`#([\w.]+)#`/g, '`$1`'),
    ]);
  return table(['Setting', 'Default', 'What it does'], rows);
}

function commandsTable(root: string, { contributes }: Manifest, words: Texts): string {
  const descriptions = commandDescriptions(root);
  const rows = contributes.commands
    .filter(({ command }) => !isOfKind(command, contributes.menus))
    .map(({ command, title }) => [
      wordsOf(title, words),
      descriptions.get(command) ?? '',
      placesOf(command, contributes.menus).join(', '),
    ]);
  const [first] = contributes.commands;
  const category = first ? wordsOf(first.category, words) : '';
  return table([`Command (${category}: …)`, 'What it does', 'Where'], rows);
}

/** Whether it is a command of the table under the name of one kind of object, such as Delete Policy…, for menus only. */
function isOfKind(command: string, menus: Manifest['contributes']['menus']): boolean {
  return (
    /^analytics\.(?!object\.)\w+\.(clone|rename|delete)$/.test(command) && !placesOf(command, menus).includes('palette')
  );
}

/** Where a command is offered. In the palette it is unless a menu entry hides it there. */
function placesOf(command: string, menus: Manifest['contributes']['menus']): string[] {
  const entries = (menu: string) => (menus[menu] ?? []).filter((entry) => entry.command === command);
  const inPalette = entries('commandPalette').every(({ when }) => when !== 'false');
  // Under the name of the kind where one object is selected.
  const verb = /^analytics\.object\.(clone|rename)$/.exec(command)?.[1];
  const ofKind = (menus['view/item/context'] ?? []).filter((entry) => verb && entry.command.endsWith(`.${verb}`));
  const inRows = [...entries('view/item/context'), ...ofKind];
  const places = [
    ...(inPalette ? ['palette'] : []),
    ...(entries('view/title').length > 0 ? ['title of a view'] : []),
    ...(inRows.some(({ group }) => !group?.startsWith('inline')) ? ['menu of a row'] : []),
    ...(inRows.some(({ group }) => group?.startsWith('inline')) ? ['button in a row'] : []),
    ...(entries('editor/title').length > 0 ? ['title of an editor'] : []),
    ...(entries('editor/context').length > 0 ? ['menu of an editor'] : []),
  ];
  if (places.length > 0) return places;
  return [command.endsWith('.openRow') ? 'a click on a row' : 'links in documents'];
}

/** The first sentence of the docstring of what runs each command, as src/registry.ts names it. */
function commandDescriptions(root: string): Map<string, string> {
  const registry = parse(path.join(root, 'src/registry.ts'));
  const files = new Map<string, string>();
  const found = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const bindings = node.importClause?.namedBindings;
      const names = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
      for (const { name } of names) files.set(name.text, node.moduleSpecifier.text);
    }
    if (ts.isVariableDeclaration(node)) {
      const [, file] = /^lazy\(\(\) => import\('([^']+)'\)\)$/.exec(node.initializer?.getText() ?? '') ?? [];
      if (file) files.set(node.name.getText(), file);
      // The command of a click is no property: it runs the one of the row.
      const [, id] = /^'(analytics\.[\w.]+)' satisfies CommandId$/.exec(node.initializer?.getText() ?? '') ?? [];
      if (id) found.set(id, firstSentence(path.join(root, 'src/registry.ts'), node.name.getText()));
    }
    if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name) && node.name.text.startsWith('analytics.')) {
      const text = node.initializer.getText();
      // Before the command's own verb stand those of rows that it leaves to others.
      const verb = [...text.matchAll(/(\w+)\(\(m\) => m\.(\w+)\)/g)].at(-1);
      const [, place, name] = verb ?? [undefined, text, text];
      const file = files.get(place ?? '');
      if (file) found.set(node.name.text, firstSentence(path.join(root, 'src', file), name ?? ''));
    }
    ts.forEachChild(node, visit);
  };
  visit(registry);
  return found;
}

function firstSentence(file: string, name: string): string {
  const declared = parse(file).statements.find((statement) =>
    ts.isFunctionDeclaration(statement) ? statement.name?.text === name : declares(statement, name),
  );
  const [doc] = declared ? ts.getJSDocCommentsAndTags(declared).filter(ts.isJSDoc) : [];
  const text = (ts.getTextOfJSDocComment(doc?.comment) ?? '').replace(/\s+/g, ' ').trim();
  return /^.*?[.;:](?=\s|$)/.exec(text)?.[0].replace(/[;:]$/, '.') ?? text;
}

function declares(statement: ts.Statement, name: string): boolean {
  if (!ts.isVariableStatement(statement)) return false;
  return statement.declarationList.declarations.some((declaration) => declaration.name.getText() === name);
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

function wordsOf(key: string, words: Texts): string {
  return words[key.slice(1, -1)] ?? key;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}
