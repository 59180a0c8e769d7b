import { isClientError, type FailureReason } from '../client/clientError.ts';

/** Failures that trusting a certificate would mend. */
const trustable: readonly (FailureReason | undefined)[] = [
  'selfSigned',
  'unknownAuthority',
  'expired',
  'notYetValid',
  'wrongHost',
  'certificateChanged',
];

/** Whether `error` is about a certificate that the user may look at and trust. */
export function isAboutCertificate(error: unknown): boolean {
  return isClientError(error, 'tls') && trustable.includes(error.reason);
}
