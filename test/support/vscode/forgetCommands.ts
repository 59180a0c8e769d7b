import { beforeEach } from 'vitest';
import { ran } from './index.ts';

// Files of one worker share the fake editor: a command that one of them ran must not count for the next.
beforeEach(() => {
  ran.length = 0;
});
