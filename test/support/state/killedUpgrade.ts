import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { Store } from '../../../src/server/store/store.ts';
import { laterShelf } from './shelf.ts';

/*
 * Upgrades the state file named first and kills itself before its n-th operation on the disk, n named second. Runs to its end when
 * it has fewer.
 */

const [file = '', last = ''] = process.argv.slice(2);
let operations = 0;

function counted(owner: object, names: readonly string[]): void {
  for (const name of names) {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== 'function') throw new Error(`No function ${name}`);
    Reflect.set(owner, name, function (this: unknown, ...values: unknown[]): unknown {
      operations += 1;
      if (operations === Number(last)) process.kill(process.pid, 'SIGKILL');
      return Reflect.apply(original, this, values) as unknown;
    });
  }
}

counted(fs, ['mkdirSync', 'openSync', 'closeSync', 'fsyncSync', 'renameSync', 'rmSync', 'chmodSync', 'ftruncateSync']);
counted(DatabaseSync.prototype, ['exec', 'close']);
counted(StatementSync.prototype, ['run']);
syncBuiltinESMExports();

Store.open(file, laterShelf, '9.1.0').close();
