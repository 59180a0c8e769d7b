/**
 * Memory of the server and the time of other calls while 1, 4 and 16 reports of 500,000 rows run at once, on every engine that this
 * machine has; BENCH_ROWS and BENCH_ENGINES as in server.bench.ts. Writes its table of src/server/README.md when `WRITE_TABLE` is set.
 */
import { show } from './server/capacityTable.ts';
import { benchRunningReports } from './server/results.ts';

show('running', await benchRunningReports([1, 4, 16]));
