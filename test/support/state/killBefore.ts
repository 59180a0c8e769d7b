import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/** Kills this process before its n-th operation on the disk; import what is to be killed afterwards. */
export function killBefore(last: number): void {
  let operations = 0;
  const count = (owner: object, names: readonly string[]) => {
    for (const name of names) {
      const original: unknown = Reflect.get(owner, name);
      if (typeof original !== 'function') throw new Error(`No function ${name}`);
      Reflect.set(owner, name, function (this: unknown, ...values: unknown[]): unknown {
        operations += 1;
        if (operations === last) process.kill(process.pid, 'SIGKILL');
        return Reflect.apply(original, this, values) as unknown;
      });
    }
  };
  const onFiles = ['mkdirSync', 'openSync', 'closeSync', 'fsyncSync', 'renameSync', 'rmSync', 'chmodSync'];
  count(fs, [...onFiles, 'ftruncateSync', 'copyFileSync', 'writeFileSync']);
  count(DatabaseSync.prototype, ['exec', 'close']);
  count(StatementSync.prototype, ['run']);
  syncBuiltinESMExports();
}
