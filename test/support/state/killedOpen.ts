import { stateSchemas } from '../../../src/server/schemas.ts';
import { Store } from '../../../src/server/store/store.ts';
import { killBefore } from './killBefore.ts';

/*
 * Opens a state of any release as this one, which upgrades it, and closes it. Kills itself before its n-th operation on the disk.
 * Arguments: n, or 0 for no kill, and the file of the state.
 */

const [last = '', file = ''] = process.argv.slice(2);
killBefore(Number(last));
Store.open(file, stateSchemas).close();
