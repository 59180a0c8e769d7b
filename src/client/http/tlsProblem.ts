import type { FailureReason } from '../clientError.ts';
import * as l10n from '../../l10n/l10n.ts';
import { certificateChangedCode } from './trust.ts';

/** User-facing meaning of a TLS error code. */
export interface TlsProblem {
  reason: FailureReason;
  /** What is wrong; follows "Untrusted connection to NAME: ". */
  words: string;
  remedy: string;
}

/** @l10n */
const lookAndCompare =
  'View the certificate (Trust Certificate…) and compare its fingerprint with the one from the server administrator, or add its certificate authority as an extra CA file.';

/** Problems by error code. @l10n words, remedy */
const problems: [codes: RegExp, problem: TlsProblem][] = [
  [
    /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    { reason: 'selfSigned', words: 'its certificate is self-signed', remedy: lookAndCompare },
  ],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED)$/,
    {
      reason: 'unknownAuthority',
      words: 'its certificate comes from an authority that this computer does not trust',
      remedy: lookAndCompare,
    },
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    {
      reason: 'expired',
      words: 'its certificate has expired',
      remedy: 'Ask the server administrator to renew the certificate, and check the clock of this computer.',
    },
  ],
  [
    /^CERT_NOT_YET_VALID$/,
    {
      reason: 'notYetValid',
      words: 'its certificate is not valid yet',
      remedy: 'Check the clock of this computer. If it is correct, ask the server administrator.',
    },
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|IP_ADDRESS_MISMATCH)$/,
    {
      reason: 'wrongHost',
      words: 'its certificate was issued for another host name',
      remedy: 'Use the host name from the certificate.',
    },
  ],
  [
    /^CERT_REVOKED$/,
    {
      reason: 'revoked',
      words: 'its certificate was revoked by the authority that issued it',
      remedy: 'Nothing was sent. Ask the server administrator.',
    },
  ],
  [
    /^(INVALID_CA|INVALID_NON_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|CERT_(SIGNATURE_FAILURE|REJECTED|CHAIN_TOO_LONG)|UNABLE_TO_DEC\w+|ERROR_IN_CERT_\w+)$/,
    {
      reason: 'invalidChain',
      words: 'its certificate, or one in its chain, is damaged or not valid for this purpose',
      remedy: 'Ask the server administrator for a certificate issued for server authentication.',
    },
  ],
  [
    new RegExp(`^${certificateChangedCode}$`),
    {
      reason: 'certificateChanged',
      words:
        'its certificate is not the one that you pinned. It may have been renewed, or the connection may be intercepted',
      remedy:
        'Nothing was sent. Ask the server administrator for the new fingerprint, compare it, then accept the certificate with Trust Certificate….',
    },
  ],
  [
    /CERTIFICATE_REQUIRED|ALERT_((BAD|UNSUPPORTED|NO)_CERTIFICATE|CERTIFICATE_(EXPIRED|REVOKED|UNKNOWN)|UNKNOWN_CA|ACCESS_DENIED)/,
    {
      reason: 'clientCertificate',
      words: 'it requires a client certificate, or rejects the one it received',
      remedy: 'Set a client certificate that the server accepts.',
    },
  ],
];

/** For any other TLS error code. @l10n words, remedy */
const unknownProblem: TlsProblem = {
  reason: 'handshake',
  words: 'no encryption could be negotiated',
  remedy: 'Check that the address and port are those of an https server.',
};

const tlsCodes =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|IP_ADDRESS_MISMATCH|INVALID_(NON_)?CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|ERROR_IN_C)/;

/** Meaning of `code`, or undefined if it is not a TLS error code. */
export function tlsProblem(code: string): TlsProblem | undefined {
  if (!tlsCodes.test(code)) return undefined;
  const known = problems.find(([codes]) => codes.test(code))?.[1] ?? unknownProblem;
  return { reason: known.reason, words: l10n.listed(known.words), remedy: l10n.listed(known.remedy) };
}
