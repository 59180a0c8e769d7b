import { expect, it } from 'vitest';
import { translatorOf } from '../../../src/l10n/l10n.ts';

const say = translatorOf({ 'Moved {0} to {1}': '{1} enthält jetzt {0}', Close: 'Schließen' });

it('translates what it has and leaves all else', () => {
  expect([say('Close'), say('Open')]).toEqual(['Schließen', 'Open']);
});

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('takes %s for a message', (message) => {
  expect(say(message)).toBe(message);
});

it('fills in values where the translation has them, also zero, empty and false ones', () => {
  expect(say('Moved {0} to {1}', 'A', 'B')).toBe('B enthält jetzt A');
  expect(say('{0} of {1}: {2}', 0, '', false)).toBe('0 of : false');
});

it('fills in no value twice, and keeps a place without one', () => {
  expect(say('{0}, {1}', '{1}', 'B')).toBe('{1}, B');
  expect(say('{0} and {7}', 'A')).toBe('A and {7}');
});
