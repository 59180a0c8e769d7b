import { expect, it } from 'vitest';
import { ClientError } from '../../../../../src/client/clientError.ts';
import { builderTexts } from '../../../../../src/features/builder/builderTexts.ts';
import { runTexts } from '../../../../../src/features/reports/run/runTexts.ts';

/* A call that is refused because a new password is due: the page that shows it offers to set one. */

const target = { connectionId: 'c', reportId: '7', name: 'Delays' };
const refused = new ClientError('noPermission', 'Shop refused Report/GetReportData.', { server: 'Shop' });
const due = refused.because('newPassword', 'Set a new password, then try again.');

it('is offered by the results panel, and by it only then', () => {
  const texts = runTexts(
    target,
    () => 'Shop',
    () => undefined,
  );
  expect(texts.failure(due)).toMatchObject({ kind: 'newPassword', remedy: 'Set a new password, then try again.' });
  expect(texts.failure(refused)).toMatchObject({ kind: 'noPermission' });
});

it('is offered by the builder, and by it only then', () => {
  const texts = builderTexts(() => 'Shop');
  expect(texts.nextStep(due)).toBe('changePassword');
  expect(texts.nextStep(refused)).toBe('retry');
  expect(texts.nextStep(new ClientError('notSignedIn', 'Signed out.', { server: 'Shop' }))).toBe('signIn');
});
