import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { isProfilePlaceholder, readLabel } from '../../contract/placeholders.ts';
import { labelsOf, policyConstraint } from '../security/policyConstraint.ts';
import { brokenLinks, forgeries, storingProof, unprovedParts } from '../store/auditChain.ts';
import type { AuditProofs } from '../store/auditProofs.ts';

/** Something wrong with a state. */
export interface Finding {
  /** `note`: harmless, such as a tag without a use. */
  kind: 'damage' | 'audit' | 'relation' | 'policy' | 'note';
  /** A sentence without its full stop. Names of objects are quoted as JSON. */
  text: string;
  /** Statement that repairs it without deleting an object; undefined when only people can. */
  repair?: string;
}

/**
 * Looks for damage and for objects that refer to missing ones. Changes nothing.
 * @param proofs of the key of the stored passwords; without it, a cut end of the audit trail is not found.
 */
export function examineState(database: DatabaseSync, proofs: AuditProofs | undefined): Finding[] {
  const damaged = database
    .prepare('PRAGMA integrity_check')
    .all()
    .map((row) => String(row.integrity_check))
    .filter((text) => text !== 'ok')
    .map((text): Finding => ({ kind: 'damage', text }));
  // A damaged database may fail in any of the other statements.
  if (damaged.length > 0) return damaged;
  return [...auditFindings(database, proofs), ...danglingRelations(database), ...policyFindings(database)];
}

/** States that earlier releases left have no chain, or one that is not signed. */
function auditFindings(database: DatabaseSync, proofs: AuditProofs | undefined): Finding[] {
  const columns = database.prepare("SELECT name FROM pragma_table_info('audit_head')").all();
  if (columns.length === 0) return [];
  const isSigned = columns.some(({ name }) => name === 'proof');
  const unproved = isSigned && proofs ? unprovedParts(database, proofs) : undefined;
  const broken = [...brokenLinks(database), ...forgeries(unproved?.forged ?? [])];
  const found = broken.map((text): Finding => ({ kind: 'audit', text: `The audit trail was tampered with: ${text}` }));
  if (isSigned && !proofs) {
    const text =
      'The key of the stored passwords is not known here, so a cut end of the audit trail would not be found';
    return [...found, { kind: 'note', text }];
  }
  const unsigned = [...(unproved?.foreign ?? []), ...(unproved?.unsigned ?? [])];
  if (!proofs || unsigned.length === 0) return found;
  const how = unproved?.foreign.length ? 'signed with another key' : 'not signed';
  const text = `The audit trail was ${how}, so entries may have been taken out at its end. To accept it, repair it: its end is then signed`;
  const repair = unsigned.map((part) => storingProof(part).replace('?', `'${proofs.sign(part)}'`)).join('; ');
  return [...found, { kind: 'audit', text, repair }];
}

/** Repairs in one transaction what {@link examineState} found; returns the number of findings repaired. */
export function repairState(database: DatabaseSync, findings: readonly Finding[]): number {
  const statements = findings.flatMap(({ repair }) => repair ?? []);
  database.exec(`BEGIN IMMEDIATE; ${statements.map((sql) => `${sql};`).join(' ')} COMMIT`);
  return statements.length;
}

/** A reference of one table to the ids of another. */
interface Reference {
  table: string;
  column: string;
  parent: string;
  /** Statement that removes a dangling reference; `where` selects the rows. */
  repair: ((where: string) => string) | undefined;
}

/** References that the database does not know. */
const otherReferences: readonly Reference[] = [
  {
    ...{ table: 'application_role', column: 'application_id', parent: 'application' },
    repair: (where) => `DELETE FROM application_role WHERE ${where}`,
  },
  {
    ...{ table: 'licensed_seats', column: 'application_id', parent: 'application' },
    repair: (where) => `DELETE FROM licensed_seats WHERE ${where}`,
  },
  { table: 'item', column: 'application_id', parent: 'application', repair: undefined },
];

function danglingRelations(database: DatabaseSync): Finding[] {
  return [...foreignKeys(database), ...otherReferences].flatMap(({ table, column, parent, repair }): Finding[] => {
    const where = `${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM ${parent})`;
    const count = Number(database.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${where}`).get()?.count);
    if (count === 0) return [];
    const text = `Rows in ${words(table)} that refer to a missing ${words(parent)}: ${count}`;
    return [{ kind: 'relation', text, ...(repair && { repair: repair(where) }) }];
  });
}

/** Foreign keys of all tables. Rows of a link table are removed; objects, which have an id, are not. */
function foreignKeys(database: DatabaseSync): Reference[] {
  const keys = database
    .prepare(
      `SELECT t.name AS "table", k."from" AS "column", k."table" AS parent, k.on_delete AS rule,
        EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = 'id') AS isObject
      FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) k WHERE t.type = 'table' ORDER BY 1, 2`,
    )
    .all();
  return keys.map(({ table, column, parent, rule, isObject }) => {
    const name = String(table);
    const remove = (where: string) => `DELETE FROM ${name} WHERE ${where}`;
    const clear = (where: string) => `UPDATE ${name} SET ${String(column)} = NULL WHERE ${where}`;
    const repair = rule === 'SET NULL' ? clear : isObject === 0 ? remove : undefined;
    return { table: name, column: String(column), parent: String(parent), repair };
  });
}

function words(table: string): string {
  return table.replaceAll('_', ' ');
}

const constraintList = z.array(policyConstraint);
const tableList = z.looseObject({
  SQLTables: z.array(z.looseObject({ tablename: z.string().nullish() })).nullish(),
});

function policyFindings(database: DatabaseSync): Finding[] {
  const tables = tablesOfApplications(database);
  const tags = database.prepare('SELECT label FROM data_tag ORDER BY label').all();
  const byLabel = new Map(tags.map(({ label }) => [readLabel(String(label)).normal, String(label)]));
  const used = new Set<string | undefined>();
  const found: Finding[] = [];
  for (const { name, constraints } of database.prepare('SELECT name, constraints FROM policy ORDER BY id').all()) {
    const policy = `Policy ${JSON.stringify(name)}`;
    const add = (text: string) => found.push({ kind: 'policy', text: `${policy} ${text}` });
    const read = constraintList.safeParse(parsed(String(constraints)));
    if (!read.success) add('cannot be read: its users see no rows');
    for (const constraint of read.data ?? []) {
      const { ModuleID, TableName } = constraint;
      const known = ModuleID === '' ? [...tables.values()].flat() : tables.get(ModuleID);
      if (!known) add(`restricts tables of application ${JSON.stringify(ModuleID)}, which does not exist`);
      else if (!known.includes(TableName.toLowerCase()))
        add(`restricts table ${JSON.stringify(TableName)}, which no report type has`);
      for (const label of labelsOf(constraint)) {
        used.add(label);
        if (!byLabel.has(label) && !isProfilePlaceholder(label))
          add(`uses tag ${JSON.stringify(label)}, which does not exist: its users see no rows`);
      }
    }
  }
  const unused = [...byLabel].filter(([label]) => !used.has(label));
  return [
    ...found,
    ...unused.map(([, label]): Finding => ({
      kind: 'note',
      text: `Tag ${JSON.stringify(label)} is used by no policy`,
    })),
  ];
}

/** Names of the tables of each application's report types, in lower case, by application. */
function tablesOfApplications(database: DatabaseSync): Map<string, string[]> {
  const applications = database.prepare('SELECT id FROM application').all();
  const tables = new Map(applications.map(({ id }) => [String(id), [] as string[]]));
  for (const { application, definition } of database
    .prepare('SELECT application_id AS application, definition FROM report_type')
    .all()) {
    const read = tableList.safeParse(parsed(String(definition)));
    const names = (read.data?.SQLTables ?? []).flatMap(({ tablename }) => tablename?.toLowerCase() ?? []);
    tables.get(String(application))?.push(...names);
  }
  return tables;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
