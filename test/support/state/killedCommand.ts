import { type BackupCommand, runBackupCommand } from '../../../src/server/backupCommands.ts';
import { killBefore } from './killBefore.ts';

/*
 * Runs a command of `server.js` on the data and kills itself before its n-th operation on the disk, n named first. Runs to its
 * end when it has fewer.
 */

const [last = '', command = '', ...args] = process.argv.slice(2);
killBefore(Number(last));
await runBackupCommand(command as BackupCommand, args, undefined);
