/**
 * The embedded server as it is built: how soon it is ready, durable commits, calls about sessions, SQL generation, and
 * 500,000 rows of 12 columns over HTTP from every engine that this machine has. Every ratio is to a floor measured in the
 * same round; figures are medians over the rounds. BENCH_ROWS and BENCH_ROUNDS make the large results smaller; BENCH_ENGINES names platforms to read.
 */
import { benchCheckSession } from './server/checkSession.ts';
import { benchCommits } from './server/commits.ts';
import { benchReady } from './server/ready.ts';
import { benchResults } from './server/results.ts';
import { benchSqlGeneration } from './server/sqlGeneration.ts';

await benchReady();
await benchCommits();
benchSqlGeneration();
await benchCheckSession();
await benchResults();
