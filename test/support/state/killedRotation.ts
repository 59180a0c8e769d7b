import { createLog } from '../../../src/server/log/serverLog.ts';
import { AutomaticBackups } from '../../../src/server/backups/automaticBackups.ts';
import { makeBackup } from '../../../src/server/backupCommands.ts';
import { installationIn } from './keptState.ts';
import { killBefore } from './killBefore.ts';

/*
 * Makes the automatic backup of a data folder that is due, and deletes old ones; or writes 20 entries to a log that rotates. Kills
 * itself before its n-th operation on the disk. Arguments: n, `backups` or `log`, the data folder or the file of the log, and the
 * folder of the backups.
 */

const [last = '', what = '', place = '', folder = ''] = process.argv.slice(2);
killBefore(Number(last));
if (what === 'log') {
  const log = createLog({
    level: 'error',
    isJson: true,
    file: place,
    fileBytes: 300,
    keptFiles: 3,
    writeError: console.error,
  });
  for (let entry = 0; entry < 20; entry += 1) {
    log(`entry ${entry}`);
    process.stdout.write(`${entry}\n`);
  }
} else {
  const installation = installationIn(place);
  const backups = new AutomaticBackups({
    ...{ dataFolder: place, folder, limitBytes: 1e9, installation, now: () => new Date() },
    makeBackup: async (target) => void (await makeBackup(place, target, () => undefined)),
    onOutcome: ({ reason }) => {
      if (reason === '') return;
      console.error(reason);
      process.exitCode = 1;
    },
  });
  await backups.check();
}
