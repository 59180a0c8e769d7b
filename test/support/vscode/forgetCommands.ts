import { afterAll, beforeAll, beforeEach } from 'vitest';
import { ran } from './index.ts';
import { person } from './person.ts';
import { settings } from './settings.ts';

// Files of one worker share the fake editor: what one of them ran, was shown or set must not count for the next.
beforeAll(() => {
  person.shown.length = 0;
});
beforeEach(() => {
  ran.length = 0;
});
afterAll(() => settings.clear());
