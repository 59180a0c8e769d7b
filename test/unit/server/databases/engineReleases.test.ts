import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { platforms } from '../../../../src/server/catalogue/registeredServers.ts';
import {
  engineReleases,
  managedVersion,
  releasesTable,
  requireAcceptedRelease,
} from '../../../../src/server/databases/engineReleases.ts';

const readme = path.resolve(import.meta.dirname, '../../../../src/server/databases/README.md');
const check = (platform: string, version: string) => () => requireAcceptedRelease(platform, 'Shop', version);

describe('releases of engines', () => {
  it('are stated for every platform, and the README says the same', () => {
    expect(new Set(engineReleases.map(({ platform }) => platform))).toEqual(new Set(platforms));
    expect(readFileSync(readme, 'utf8')).toContain(`\n${releasesTable()}\n`);
  });

  it.each([
    ['postgresql', '15.14 (Debian 15.14-0+deb12u1)'],
    ['postgresql', '15.0'],
    ['postgresql', '18beta1'],
    ['mysql', '10.11.6-MariaDB-0+deb12u1'],
    ['mysql', '10.11.0-MariaDB'],
    ['mysql', '8.4.7-0ubuntu0.25.10.1'],
    ['mysql', '9.1.0'],
    ['clickhouse', '26.7.3.1'],
    ['mssql', '14.0.3515.1'],
    ['mssql', managedVersion],
    ['oracle', '19.3.0.0.0'],
    ['trino', '476'],
    ['trino', managedVersion],
    ['duckdb', ''],
    ['sqlite', ''],
  ])('accept %s %s', (platform, version) => {
    expect(check(platform, version)).not.toThrow();
  });

  it.each([
    ['postgresql', '14.20', 'PostgreSQL 14.20 is too old; the oldest accepted release is 15.'],
    ['postgresql', '9.6.24', 'PostgreSQL 9.6.24 is too old; the oldest accepted release is 15.'],
    ['mysql', '10.6.25-MariaDB', 'MariaDB 10.6.25 is too old; the oldest accepted release is 10.11.'],
    ['mysql', '8.0.46', 'MySQL 8.0.46 is too old; the oldest accepted release is 8.4.'],
    ['clickhouse', '18.16.1', 'ClickHouse 18.16.1 is too old; the oldest accepted release is '],
    ['mssql', '13.0.7065.1', 'SQL Server 13.0.7065.1 is too old; the oldest accepted release is 14.'],
    ['oracle', '12.2.0.1.0', 'Oracle 12.2.0.1.0 is too old; the oldest accepted release is 19.'],
    ['postgresql', '', 'PostgreSQL does not report its release; the oldest accepted release is 15.'],
  ])('refuse %s %s', (platform, version, problem) => {
    expect(check(platform, version)).toThrow(`Shop: ${problem}`);
    expect(check(platform, version)).toThrow('--allow-old-engines');
  });

  it('show nothing of a version but its numbers', () => {
    const hostile = '9.1 [x](command:evil)';
    expect(check('postgresql', hostile)).toThrow('PostgreSQL 9.1 is too old');
    expect(check('postgresql', hostile)).not.toThrow('command');
    expect(check('postgresql', 'command:evil 9')).not.toThrow('evil');
  });
});
