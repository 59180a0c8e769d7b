import { clickhouseDialect } from './clickhouseDialect.ts';
import type { Dialect } from './dialect.ts';
import { duckdbDialect } from './duckdbDialect.ts';
import { mssqlDialect } from './mssqlDialect.ts';
import { mysqlDialect } from './mysqlDialect.ts';
import { oracleDialect } from './oracleDialect.ts';
import { postgresqlDialect } from './postgresqlDialect.ts';
import { sqliteDialect } from './sqliteDialect.ts';
import { trinoDialect } from './trinoDialect.ts';

/** All platforms that reports support. */
export const dialects: readonly Dialect[] = [
  duckdbDialect,
  sqliteDialect,
  postgresqlDialect,
  mysqlDialect,
  mssqlDialect,
  oracleDialect,
  clickhouseDialect,
  trinoDialect,
];

/** The dialect of a platform, ignoring case, or undefined if reports do not support it. */
export function dialectOf(platform: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.platform === platform.trim().toLowerCase());
}
