import { DatabaseError } from './database.ts';

/** An engine, the releases of it that reports are tested on, and the oldest one that is accepted. */
export interface EngineReleases {
  /** Value of DatabasePlatform. */
  platform: string;
  /** Name of the engine in messages. */
  engine: string;
  /** Matches the versions of this engine, where a platform has several. */
  versions?: RegExp;
  /** Major and minor release; undefined where every release is accepted. */
  oldest?: readonly [major: number, minor: number];
  /** Why older releases are refused. */
  reason: string;
  /** Releases that tests run on. */
  run: string;
  /** What reads the SQL where no server of the engine runs in tests. */
  read: string;
}

/** The tested range of every platform; the table in this folder's README is made from it. */
export const engineReleases: readonly EngineReleases[] = [
  {
    platform: 'duckdb',
    engine: 'DuckDB',
    reason: 'part of this server',
    run: 'the release of `@duckdb/node-api`',
    read: '',
  },
  {
    platform: 'sqlite',
    engine: 'SQLite',
    reason: 'part of Node.js, 22.16 or later',
    run: 'the release of Node.js',
    read: '',
  },
  {
    platform: 'postgresql',
    engine: 'PostgreSQL',
    oldest: [15, 0],
    reason: 'last fixes for 14: November 2026',
    run: '15, 18',
    read: '',
  },
  {
    platform: 'mysql',
    engine: 'MariaDB',
    versions: /mariadb/i,
    oldest: [10, 11],
    reason: 'last fixes for 10.6: July 2026',
    run: '10.11',
    read: '',
  },
  {
    platform: 'mysql',
    engine: 'MySQL',
    oldest: [8, 4],
    reason: 'last fixes for 8.0: April 2026',
    run: 'none',
    read: 'grammar of MySQL',
  },
  {
    platform: 'clickhouse',
    engine: 'ClickHouse',
    oldest: [25, 8],
    reason: 'a long-term release; 24.8 returned other rows',
    run: '26.7, its engine behind an HTTP front; 18.16, two shards, by the flag',
    read: '',
  },
  {
    platform: 'mssql',
    engine: 'SQL Server',
    oldest: [14, 0],
    reason: '14 is 2017; last fixes for 2016: July 2026',
    run: 'none',
    read: 'grammar of T-SQL',
  },
  {
    platform: 'oracle',
    engine: 'Oracle',
    oldest: [19, 0],
    reason: 'last fixes for 18: June 2021',
    run: 'none',
    read: 'grammar of PL/SQL',
  },
  {
    platform: 'trino',
    engine: 'Trino',
    oldest: [368, 0],
    reason: 'the oldest in tests',
    run: '470, 476; types and catalogs alone on 368',
    read: '',
  },
];

/** What a driver answers as the version of a service whose provider keeps it up to date, or hides it. */
export const managedVersion = 'managed';

/** A database server runs a release that is too old to trust its results. */
export class OldEngine extends DatabaseError {
  constructor(displayName: string, engine: string, problem: string) {
    super(
      'unreachable',
      `${displayName}: ${engine} ${problem}. Older releases may compute wrong results. Upgrade it, or accept old ` +
        'releases with --allow-old-engines, or in VS Code with the setting analytics.localServer.allowOldEngines',
    );
  }
}

/** Whether old releases of a platform are refused. */
export function hasOldestRelease(platform: unknown): boolean {
  return engineReleases.some((one) => one.platform === platform && one.oldest !== undefined);
}

/**
 * Only digits and dots of the version are shown, because it is text of the database server.
 * @param version as reported by the database server.
 * @throws {OldEngine} if it is older than the oldest accepted release, or cannot be read.
 */
export function requireAcceptedRelease(platform: string, displayName: string, version: string): void {
  const found = engineReleases.find((one) => one.platform === platform && (one.versions?.test(version) ?? true));
  if (!found?.oldest || version === managedVersion) return;
  const { engine, oldest } = found;
  const release = /^\D{0,20}(\d{1,5}(?:\.\d{1,9})*)/.exec(version)?.[1];
  const least = `the oldest accepted release is ${releaseText(oldest)}`;
  if (release === undefined) throw new OldEngine(displayName, engine, `does not report its release; ${least}`);
  const [major = 0, minor = 0] = release.split('.').map(Number);
  const isAccepted = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  if (!isAccepted) throw new OldEngine(displayName, engine, `${release} is too old; ${least}`);
}

function releaseText([major, minor]: readonly [number, number]): string {
  return minor === 0 && major >= 13 ? String(major) : `${major}.${minor}`;
}

/** The rows of the table in the README. */
export function releasesTable(): string {
  const rows = engineReleases.map(({ engine, oldest, reason, run, read }) => [
    engine,
    oldest ? releaseText(oldest) : 'any',
    reason,
    run,
    read,
  ]);
  const head = ['Engine', 'Oldest accepted', 'Why', 'Tests run on', 'SQL only read by'];
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |'))
    .join('\n');
}
