import * as vscode from 'vscode';
import type { JsonObject } from '../../../objects/json.ts';
import { findKind } from '../../../objects/kinds/kinds.ts';
import { constraintTable } from '../../../objects/language/problems/columnTypeProblems.ts';
import { fieldNode, identifierAt, JsonText, nodesAt, textAt, type Span } from '../../../objects/language/jsonText.ts';
import type { KnownObject, ReferenceKind } from '../../../objects/language/knownObjects.ts';
import type { ProblemContext } from '../../../objects/language/problems/problem.ts';
import { isOwnField } from '../../../contract/placeholders.ts';
import { listEntries, placeholdersIn, referencesIn } from '../../../objects/language/references.ts';
import { fieldsRenamed, fieldsTakenAway } from '../../../objects/language/reportTypeChanges.ts';
import { noFacts, type ServerFacts } from '../../../objects/language/serverFacts.ts';
import { holdsTimeZone } from '../../../objects/language/timeZones.ts';
import { guessKind, type ObjectLink } from '../../../objects/language/hints.ts';
import { referenceKindOf } from '../../../objects/language/problems/stateProblems.ts';
import type { ObjectKind } from '../../../objects/kinds/objectKind.ts';
import { documentTarget, isNewObject, type DocumentTarget } from '../../../editor/documentUri.ts';
import { kindNameOf } from './documentKind.ts';
import { ServerDirectory, type LanguageConnection, type ReportPlace } from './serverDirectory.ts';
import { displayText } from '../../../editor/displayText.ts';

/** Dependencies of {@link LanguageModel}. */
export interface LanguageModelOptions {
  readonly connection: (id: string) => LanguageConnection | undefined;
  /** Base view of a document's edit; undefined if there is none. */
  readonly baseOf: (uri: vscode.Uri) => JsonObject | undefined;
  /** URI scheme of documents on servers. */
  readonly scheme: string;
}

/** A parsed object document. */
export interface ObjectDocument {
  readonly json: JsonText;
  readonly kind: ObjectKind;
  /** The object it shows; undefined for a file on disk. */
  readonly target: DocumentTarget | undefined;
  readonly uri: vscode.Uri;
}

/** The documents as seen by the providers: parsed once per version, with the cached facts about their server. */
export class LanguageModel implements vscode.Disposable {
  readonly #options: LanguageModelOptions;
  readonly #parsed = new WeakMap<vscode.TextDocument, { version: number; json: JsonText }>();
  readonly #directories = new Map<string, ServerDirectory>();
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;
  /** Fires with a connection id after the cached facts about its server changed. */
  readonly onDidChange = this.#changed.event;

  constructor(options: LanguageModelOptions) {
    this.#options = options;
    // The editor closes the document long after its last tab.
    this.#subscription = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const uri of closed.flatMap(urisOfTab).filter((other) => !isShown(other))) {
        for (const directory of this.#directories.values()) directory.release(uri.toString());
      }
    });
  }

  /**
   * The parsed document of an object; undefined for other documents, and for another program's file with such a name.
   */
  read(document: vscode.TextDocument): ObjectDocument | undefined {
    const name = kindNameOf(document);
    const kind = name === undefined ? undefined : findKind(name);
    if (!kind) return undefined;
    const target = document.uri.scheme === this.#options.scheme ? documentTarget(document.uri) : undefined;
    let parsed = this.#parsed.get(document);
    if (parsed?.version !== document.version) {
      parsed = { version: document.version, json: new JsonText(document.getText()) };
      this.#parsed.set(document, parsed);
    }
    if (document.uri.scheme === 'file' && !guessKind(kind.name, parsed.json.root)) return undefined;
    return { json: parsed.json, kind, target, uri: document.uri };
  }

  /** The directory of a document's server; undefined for a file on disk, or if the server is no longer listed. */
  directoryOf({ target }: ObjectDocument): ServerDirectory | undefined {
    const connection = target && this.#options.connection(target.connectionId);
    if (!connection) return undefined;
    const known = this.#directories.get(connection.id);
    if (known) return known;
    const directory = new ServerDirectory(connection, () => this.#changed.fire(connection.id));
    this.#directories.set(connection.id, directory);
    return directory;
  }

  /** The facts currently known about a document's server. */
  factsOf(document: ObjectDocument): ServerFacts {
    return this.directoryOf(document)?.facts(reportPlaceOf(document), reportTypeServerOf(document)) ?? noFacts;
  }

  /** Name of a document's server; empty for a file on disk. */
  serverName({ target }: ObjectDocument): string {
    return (target && this.#options.connection(target.connectionId)?.name) ?? '';
  }

  /** Input of the diagnostic rules. */
  contextOf(document: ObjectDocument): ProblemContext {
    const { json, kind, target, uri } = document;
    const id = target && !isNewObject(target) ? target.id : undefined;
    const base = target && id !== undefined ? this.#options.baseOf(uri) : undefined;
    const server = this.serverName(document);
    return { document: json, kind, id, facts: this.factsOf(document), base, server };
  }

  /** Loads the lists that a document's rules, hints and links need, each once. */
  async learn(document: ObjectDocument, also: readonly ReferenceKind[] = []): Promise<void> {
    const directory = this.directoryOf(document);
    if (!directory) return;
    const holder = document.uri.toString();
    const kinds = new Set([...listsFor(document), ...also]);
    await Promise.all([
      ...[...kinds].map((kind) => directory.objects(kind, holder)),
      ...(holdsTimeZone(document.kind.name) ? [directory.timeZones(holder)] : []),
      this.#learnReport(document),
      this.#learnTargets(document),
      this.#learnReportType(document),
      this.#learnConstraints(document),
    ]);
  }

  /** Loads the columns of a report type's tables, and the reports that use fields removed by the edit. */
  async #learnReportType(document: ObjectDocument): Promise<void> {
    const serverId = reportTypeServerOf(document);
    const directory = this.directoryOf(document);
    if (serverId === undefined || !directory || !document.json.isWhole) return;
    const holder = document.uri.toString();
    const tables = listEntries(document.json, 'SQLTables').map((table) => ({
      name: textAt(fieldNode(table, 'tablename')),
      owner: textAt(fieldNode(table, 'tableowner')),
    }));
    // Report type names are only unique within an application.
    const server = (await directory.objects('server', holder))?.get(serverId);
    const base = this.#options.baseOf(document.uri);
    const gone = base ? [...fieldsTakenAway(document.json, base), ...fieldsRenamed(document.json, base)] : [];
    await Promise.all([
      ...(server ? [directory.reportTypes(server, holder)] : []),
      ...tables.filter(({ name }) => name !== '').map((table) => directory.tableColumns(serverId, table, holder)),
      ...[...new Set(gone.map(({ reportType }) => reportType))].map((name) => directory.reportsOn(name, holder)),
    ]);
  }

  /** Loads the columns of the tables that a policy restricts. */
  async #learnConstraints({ json, kind, uri, target }: ObjectDocument): Promise<void> {
    if (kind.name !== 'policy' || !json.isWhole) return;
    const tables = listEntries(json, 'Constraints').map(constraintTable);
    await this.directoryOf({ json, kind, uri, target })?.constraintTables(tables, uri.toString());
  }

  async #learnReport(document: ObjectDocument): Promise<void> {
    const server = await this.reportServer(document);
    const place = reportPlaceOf(document);
    const directory = this.directoryOf(document);
    if (!server || !place || !directory) return;
    const holder = document.uri.toString();
    await Promise.all([
      directory.reportTypes(server, holder),
      ...(place.reportType === '' ? [] : [directory.reportFields(server, place.reportType, holder)]),
    ]);
  }

  /** Loads the reports that this one passes values to: their prompts may have been renamed. */
  async #learnTargets(document: ObjectDocument): Promise<void> {
    const directory = this.directoryOf(document);
    if (!directory || document.kind.name !== 'report') return;
    const handed = listEntries(document.json, 'linkreports').filter((link) =>
      nodesAt(link, 'Links.TargetField').some((node) => textAt(node) !== ''),
    );
    const ids = new Set(handed.flatMap((link) => identifierAt(fieldNode(link, 'ReportID')) ?? []));
    await Promise.all([...ids].map((id) => directory.linkTarget(id, document.uri.toString())));
  }

  /** The registered server of a report; undefined for other documents. */
  async reportServer(document: ObjectDocument): Promise<KnownObject | undefined> {
    const place = reportPlaceOf(document);
    return place && this.directoryOf(document)?.serverOf(place, document.uri.toString());
  }

  /** Application of a report or report type; empty if unknown. */
  async applicationOf(document: vscode.TextDocument): Promise<string> {
    const read = this.read(document);
    if (!read) return '';
    const serverId = reportTypeServerOf(read);
    if (serverId === undefined) return reportPlaceOf(read)?.application ?? '';
    const servers = await this.directoryOf(read)?.objects('server', document.uri.toString());
    return servers?.get(serverId)?.server?.application ?? '';
  }

  /** Invalidates lists after a change on a server; they are reloaded when a document needs them. */
  forget(connectionId: string, kinds: readonly ReferenceKind[], withReportTypes: boolean): void {
    const directory = this.#directories.get(connectionId);
    if (!directory) return;
    directory.forget(kinds, withReportTypes);
    this.#changed.fire(connectionId);
  }

  /** Clears a connection's data after its account changed or signed out. */
  clear(connectionId: string): void {
    this.#directories.get(connectionId)?.clear();
    this.#changed.fire(connectionId);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const directory of this.#directories.values()) directory.clear();
    this.#changed.dispose();
  }
}

/** Lists that a document needs: those it refers to, and its own kind's to check for duplicate names. */
function listsFor({ json, kind, target }: ObjectDocument): ReferenceKind[] {
  const lists = new Set(referencesIn(json, kind.name).map(({ row }) => row.to));
  const own = referenceKindOf(kind.name);
  if (own) lists.add(own);
  // Which users have a value of a tag also depends on their groups.
  const placeholders = placeholdersIn(json, kind.name);
  if (placeholders.length > 0) for (const list of ['tag', 'group'] as const) lists.add(list);
  // Users list the profile fields that they have set.
  if (placeholders.some(({ label }) => isOwnField(label.normal ?? ''))) lists.add('user');
  // The code lens shows the number of policies that use a tag; a folder without groups offers groups to add.
  if (kind.name === 'tag' && target) lists.add('policy');
  if (kind.name === 'folder') lists.add('group');
  return [...lists];
}

/** Id of the registered server of a saved report type; undefined for other documents. */
function reportTypeServerOf({ kind, target }: ObjectDocument): string | undefined {
  if (kind.name !== 'reporttype' || !target || isNewObject(target)) return undefined;
  return target.id.split('.')[0];
}

/** The report type that a report's fields come from; undefined for other documents. */
export function reportPlaceOf({ json, kind }: ObjectDocument): ReportPlace | undefined {
  if (kind.name !== 'report') return undefined;
  const text = (name: string) => textAt(fieldNode(json.root, name));
  return { reportType: text('ReportType'), serverName: text('ServerName'), application: text('ModuleName') };
}

/** The range of a part of a document's text. */
export function rangeOf(document: vscode.TextDocument, { offset, length }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** Command URI that opens an object as a document. */
export function openCommand(connectionId: string, { kind, id, name }: ObjectLink): vscode.Uri {
  const target = { connectionId, kind, id, name: displayText(name) };
  return vscode.Uri.parse(`command:analytics.object.open?${encodeURIComponent(JSON.stringify([target]))}`);
}

/** Documents shown by a tab: one, or the two sides of a diff. */
export function urisOfTab({ input }: vscode.Tab): vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}

/** Whether a tab shows the document. */
export function isShown(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => urisOfTab(tab).map(String).includes(key)));
}
