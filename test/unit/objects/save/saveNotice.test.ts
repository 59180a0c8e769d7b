import { expect, it } from 'vitest';
import { saveNotice } from '../../../../src/objects/save/saveNotice.ts';

it.each([
  null,
  '',
  '  ',
  'Success',
  'SUCCESSFUL',
  'ok',
  'OK.',
  'Done!',
  '0',
  'none',
  'Data Tag Successfully Saved',
  'The user was saved successfully.',
])('a reply with the message %j has nothing to say', (ErrorMessage) => {
  expect(saveNotice({ ErrorCode: 0, ErrorMessage })).toBeUndefined();
});

it.each([
  'Company of 1 user (ann) was set by the users themselves.',
  'Saved successfully, but SSO has no effect here.',
  'Saved successfully. SSO has no effect here.',
  'Not successful',
  'Saved without success',
  'unsuccessful',
  'okay-ish',
])('a reply with the message %j says it', (ErrorMessage) => {
  expect(saveNotice({ ErrorCode: '0', ErrorMessage: ` ${ErrorMessage}\n` })).toBe(ErrorMessage);
});

it('a message is read from each spelling of the envelope', () => {
  expect(saveNotice({ ERROR_MESSAGE: 'Look.' })).toBe('Look.');
  expect(saveNotice({ ErrorMessage: 'OK', error_message: 'Look.' })).toBe('Look.');
  expect(saveNotice({ Description: 'Look.' })).toBeUndefined();
});
