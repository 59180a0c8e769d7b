import { Store } from '../../../src/server/store/store.ts';
import { killBefore } from './killBefore.ts';
import { laterShelf } from './shelf.ts';

/*
 * Upgrades the state file named first and kills itself before its n-th operation on the disk, n named second. Runs to its end when
 * it has fewer.
 */

const [file = '', last = ''] = process.argv.slice(2);
killBefore(Number(last));
Store.open(file, laterShelf, '9.1.0').close();
