import { expect, it } from 'vitest';
import { passesFilter } from '../../../../src/editor/pickers/pickItem.ts';

it.each([
  ['', true],
  ['North', true],
  [' viewer ', true],
  ['user · n', true],
  ['south', false],
])('a row that a list filters out does not stay active: "%s"', (text, isShown) => {
  expect(passesFilter({ label: 'north.viewer', description: 'user · North Viewer' }, text)).toBe(isShown);
  expect(passesFilter({ label: 'north.viewer', alwaysShow: true }, text)).toBe(true);
});
