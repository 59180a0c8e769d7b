import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { readChecked, writeChecked } from '../../connections/checkedRecord.ts';
import { unlessMissing } from '../../connections/unlessMissing.ts';

const databasePlan = z.object({
  /** Name of the registered server. */
  displayName: z.string(),
  /** Empty if the application has no database yet. */
  platform: z.string(),
  /** Host, with `:port` if it is not the platform's default. */
  host: z.string(),
  /** Name of the database; file path for file-based platforms. */
  database: z.string(),
  /** Schema to look up tables in; empty for the connection's default. */
  owner: z.string(),
  login: z.string(),
  /** UTC offset of the database's timestamps, in hours. */
  timeZone: z.number(),
});

const steps = z.enum(['application', 'database', 'test', 'reportType', 'report']);

/** The first report type of an application, as confirmed by the user. */
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

export const keptSetup = z.object({
  /** A journal of another version is left alone. */
  version: z.literal(1).default(1),
  id: z.string(),
  connectionId: z.string(),
  /** Installation it was started on: another server at the same address has different ids. */
  installation: z.string(),
  /** ISO 8601 with zone. */
  startedAt: z.string(),
  name: z.string(),
  description: z.string(),
  database: databasePlan,
  /** The next step. */
  step: steps,
  /** Whether this step's write was sent without a recorded outcome: it is looked up before it is sent again. */
  isSent: z.boolean(),
  /** Empty until it is known. */
  applicationId: z.string(),
  serverId: z.string(),
  /** Name of the last step's report type; empty until it is chosen. */
  reportType: z.string(),
  /** The chosen report type, until it is saved. */
  chosen: firstReportType.optional(),
});

/** Connection of a new application's database; never includes its password. */
export type DatabasePlan = z.infer<typeof databasePlan>;
/** The first report type of an application, as confirmed by the user. */
export type FirstReportType = z.infer<typeof firstReportType>;
/** Stored state of an application setup. */
export type StoredSetup = z.infer<typeof keptSetup>;
/** What to set up. */
export type SetupPlan = Pick<StoredSetup, 'connectionId' | 'installation' | 'name' | 'description' | 'database'>;

const suffix = '.json';

/**
 * Unfinished application setups, one file each, so that they can be resumed after a crash or a refusal. Each change
 * rewrites the whole file. Passwords are not written.
 */
export class SetupJournalStore {
  readonly #folder: string;

  /** @param folder path of the folder, created on first use. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts a setup; written to disk when this resolves. */
  async begin(plan: SetupPlan): Promise<StoredSetup> {
    const kept: StoredSetup = {
      ...plan,
      version: 1,
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

  /** Writes the state of a setup; on disk when this resolves. */
  async write(setup: StoredSetup): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const file = this.#file(setup.id);
    const handle = await open(`${file}.new`, 'w', 0o600);
    try {
      // Parsed, so that only the fields above are written.
      await handle.writeFile(writeChecked(keptSetup.parse(setup)));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${file}.new`, file);
  }

  /** All readable unfinished setups, newest first. */
  async list(): Promise<StoredSetup[]> {
    return (await this.readAll()).setups;
  }

  /** {@link list}, and the paths of damaged files: their setups cannot be resumed. */
  async readAll(): Promise<{ setups: StoredSetup[]; damaged: string[] }> {
    const names = (await unlessMissing(readdir(this.#folder))) ?? [];
    const setups: StoredSetup[] = [];
    const damaged: string[] = [];
    for (const file of names.filter((name) => name.endsWith(suffix)).map((name) => path.join(this.#folder, name))) {
      const found = await readSetup(file);
      if (found === 'damaged') damaged.push(file);
      else if (found !== 'unknown') setups.push(found);
    }
    setups.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
    return { setups, damaged };
  }

  /** Deletes a setup that has ended or was abandoned. */
  async remove(id: string): Promise<void> {
    await rm(this.#file(id), { force: true });
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}${suffix}`);
  }
}

/** Reads a setup; `unknown` if a later release wrote it. */
async function readSetup(file: string): Promise<StoredSetup | 'damaged' | 'unknown'> {
  const read = readChecked(await readFile(file, 'utf8'));
  if (read.kind === 'damaged') return 'damaged';
  if ('version' in read.value && read.value.version !== 1) return 'unknown';
  return keptSetup.safeParse(read.value).data ?? 'damaged';
}
