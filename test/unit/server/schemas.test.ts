import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { stateSchemas } from '../../../src/server/schemas.ts';

/** SHA-256 of each step that was released, by room. Only ever appended to, when a release is made. */
const released: Readonly<Record<string, readonly string[]>> = {
  settings: ['c3794a5e6beb1ce525fde33fd3693a7d71f84f6cc5ce60abf1adf182041d513d'],
  audit: [
    '6d80510df117cc304730431d705d3b8e61460054a027328cfe08aae0743ef3e8',
    '95374435abae848ff532998277e3efb84e287ca0c9e9ef05b81f06c705ba0040',
  ],
  identity: [
    'abf919772c46f547688d6dabea1e8dd178a2f30ca631b5eccff7fddb1eae518e',
    'abbee2a7ab48ea860f463e573c322b6cbb051946619438bdd41830cb4f45dcbf',
  ],
  security: [
    'b184ceca2ce043176840d55c000550556f4684d85b967130b6daa0dadcf50977',
    '5f86f17f79d36ea80b4cab8fe288054a1d8b289a533bfcc1cd28bf712c5e7502',
  ],
  library: [
    'a749dd48c7203eb3d4f1f7ef539da11bccba2f69d80a09dafbccab9f77ac6516',
    'a915096b691f4e706c6394ab1b0a13d1f644c0a2202f2a8d2ee5cd402e304b79',
  ],
  catalogue: ['2fc89eb81180de0cc98276b2472c39b6c7313af3b602ad761209fc1eea5acce2'],
  administration: ['95e83f9f0866774ca8d52b602b40878cc7f3b2369ce0035557f14f3f09f0f14e'],
  sample: ['cb3566e1a674a79b18c7d439bb1d7bf0e762f87c152858b17c78657b3ba65600'],
};

it.each(Object.entries(released))('the released steps of %s are what they were', (room, digests) => {
  const steps = stateSchemas.find((schema) => schema.room === room)?.steps ?? [];
  const digestOf = (step: string) => createHash('sha256').update(step).digest('hex');
  expect(steps.slice(0, digests.length).map(digestOf)).toEqual(digests);
});

it('every room of release 0.1.0 is held to', () => {
  expect(Object.keys(released).sort()).toEqual(
    ['administration', 'audit', 'catalogue', 'identity', 'library', 'sample', 'security', 'settings'].sort(),
  );
});
