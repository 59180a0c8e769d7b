import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

const databasePlan = z.object({
  /** Name of the registered server. */
  displayName: z.string(),
  /** Empty where the application gets no database for now. */
  platform: z.string(),
  /** Host, with `:port` where it is not the platform's own. */
  host: z.string(),
  /** Name of the database; path of the file for platforms that are one. */
  database: z.string(),
  /** Schema that tables are looked up in; empty for the connection's own. */
  owner: z.string(),
  login: z.string(),
  /** Hours from UTC of the moments that the database holds. */
  timeZone: z.number(),
});

const steps = z.enum(['application', 'database', 'test', 'reportType', 'report']);

/** The first report type of an application, as the user let it stand. */
const firstReportType = z.object({
  name: z.string(),
  tables: z.array(z.object({ name: z.string(), owner: z.string(), alias: z.string() })),
  joins: z.array(
    z.object({
      kind: z.enum(['inner', 'left']),
      leftAlias: z.string(),
      leftColumn: z.string(),
      rightAlias: z.string(),
      rightColumn: z.string(),
    }),
  ),
  fields: z.array(
    z.object({
      id: z.number(),
      fname: z.string(),
      flevel: z.string(),
      nodetype: z.enum(['G', 'F']),
      tablealias: z.string(),
      sqlfieldname: z.string(),
      datatype: z.string(),
      idx_order: z.number(),
    }),
  ),
});

const keptSetup = z.object({
  id: z.string(),
  connectionId: z.string(),
  /** Installation that it was begun on: another server at the same address has other ids. */
  installation: z.string(),
  /** ISO 8601 with zone. */
  startedAt: z.string(),
  name: z.string(),
  description: z.string(),
  database: databasePlan,
  /** What has to be done next. */
  step: steps,
  /** Whether the write of this step was sent without its outcome being noted: it is looked for before it is sent again. */
  isSent: z.boolean(),
  /** Empty as long as it is not known. */
  applicationId: z.string(),
  serverId: z.string(),
  /** Name of the report type of the last step; empty before it was chosen. */
  reportType: z.string(),
  /** The report type that was chosen, until it is saved. */
  chosen: firstReportType.optional(),
});

/** Where the database of a new application is; its password is never part of it. */
export type DatabasePlan = z.infer<typeof databasePlan>;
/** The first report type of an application, as the user let it stand. */
export type FirstReportType = z.infer<typeof firstReportType>;
/** How far the setup of an application has come. */
export type StoredSetup = z.infer<typeof keptSetup>;
/** What somebody wants to set up. */
export type SetupPlan = Pick<StoredSetup, 'connectionId' | 'installation' | 'name' | 'description' | 'database'>;

const suffix = '.json';

/**
 * Setups of applications that have not ended, one file each, so that they can be gone on with after a crash or a refusal.
 * Each change replaces its file as a whole. Passwords are not written.
 */
export class SetupJournalStore {
  readonly #folder: string;

  /** @param folder path of the folder, made when first needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Begins a setup; it is on disk when this resolves. */
  async begin(plan: SetupPlan): Promise<StoredSetup> {
    const kept: StoredSetup = {
      ...plan,
      id: randomUUID(),
      startedAt: new Date().toISOString(),
      step: 'application',
      isSent: false,
      applicationId: '',
      serverId: '',
      reportType: '',
    };
    await this.write(kept);
    return kept;
  }

  /** Writes how far a setup has come; it is on disk when this resolves. */
  async write(setup: StoredSetup): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const file = this.#file(setup.id);
    const handle = await open(`${file}.new`, 'w', 0o600);
    try {
      // Parsed, so that nothing but the fields above reaches the disk.
      await handle.writeFile(JSON.stringify(keptSetup.parse(setup)));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${file}.new`, file);
  }

  /** Every setup that has not ended and can be read, newest first. */
  async list(): Promise<StoredSetup[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [] as string[];
      throw error;
    });
    const read = names.filter((name) => name.endsWith(suffix)).map((name) => readSetup(path.join(this.#folder, name)));
    return (await Promise.all(read))
      .filter((setup) => setup !== undefined)
      .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  }

  /** Forgets a setup: it has ended, or is given up. */
  async remove(id: string): Promise<void> {
    await rm(this.#file(id), { force: true });
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}${suffix}`);
  }
}

/** A setup; undefined for a file that is none. */
async function readSetup(file: string): Promise<StoredSetup | undefined> {
  try {
    return keptSetup.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
