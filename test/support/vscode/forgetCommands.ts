import { beforeAll, beforeEach } from 'vitest';
import { ran } from './index.ts';
import { person } from './person.ts';

// Files of one worker share the fake editor: what one of them ran or was shown must not count for the next.
beforeAll(() => {
  person.shown.length = 0;
});
beforeEach(() => {
  ran.length = 0;
});
