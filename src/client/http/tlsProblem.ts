import type { FailureReason } from '../clientError.ts';
import { sayListed } from '../../l10n/l10n.ts';
import { certificateChangedCode } from './trust.ts';

/** User-facing meaning of a TLS error code. */
export interface TlsProblem {
  reason: FailureReason;
  /** What is wrong; follows "No trusted connection to NAME: ". */
  words: string;
  remedy: string;
}

/** @l10n */
const lookAndCompare =
  'Look at the certificate (Trust Certificate…) and compare its fingerprint with whoever runs the server, or add the authority as an extra CA file.';

/** Problems by error code. @l10n words, remedy */
const problems: [codes: RegExp, problem: TlsProblem][] = [
  [
    /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    { reason: 'selfSigned', words: 'its certificate is signed by itself', remedy: lookAndCompare },
  ],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED)$/,
    {
      reason: 'unknownAuthority',
      words: 'its certificate comes from an authority that this machine does not know',
      remedy: lookAndCompare,
    },
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    {
      reason: 'expired',
      words: 'its certificate has expired',
      remedy: "Ask whoever runs the server to renew the certificate, and check this machine's clock.",
    },
  ],
  [
    /^CERT_NOT_YET_VALID$/,
    {
      reason: 'notYetValid',
      words: 'its certificate is not valid yet',
      remedy: "Check this machine's clock, else ask whoever runs the server.",
    },
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|IP_ADDRESS_MISMATCH)$/,
    {
      reason: 'wrongHost',
      words: 'its certificate was made for another host name',
      remedy: 'Use the host name that the certificate names.',
    },
  ],
  [
    /^CERT_REVOKED$/,
    {
      reason: 'revoked',
      words: 'its certificate was revoked by the authority that issued it',
      remedy: 'Nothing was sent. Ask whoever runs the server.',
    },
  ],
  [
    /^(INVALID_CA|INVALID_NON_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|CERT_(SIGNATURE_FAILURE|REJECTED|CHAIN_TOO_LONG)|UNABLE_TO_DEC\w+|ERROR_IN_CERT_\w+)$/,
    {
      reason: 'invalidChain',
      words: 'its certificate, or one that vouches for it, is damaged or was not made for this purpose',
      remedy: 'Ask whoever runs the server for a certificate that is made for web servers.',
    },
  ],
  [
    new RegExp(`^${certificateChangedCode}$`),
    {
      reason: 'certificateChanged',
      words: 'its certificate is not the one that you pinned. It may have been renewed, or somebody may be in between',
      remedy:
        'Nothing was sent. Ask whoever runs the server for the new fingerprint, then compare it and accept it with Trust Certificate….',
    },
  ],
  [
    /CERTIFICATE_REQUIRED|ALERT_((BAD|UNSUPPORTED|NO)_CERTIFICATE|CERTIFICATE_(EXPIRED|REVOKED|UNKNOWN)|UNKNOWN_CA|ACCESS_DENIED)/,
    {
      reason: 'clientCertificate',
      words: 'it asks for a client certificate, or refuses the one it was shown',
      remedy: 'Set a client certificate that the server accepts.',
    },
  ],
];

/** For any other TLS error code. @l10n words, remedy */
const unknownProblem: TlsProblem = {
  reason: 'handshake',
  words: 'no encryption could be agreed on',
  remedy: 'Check that the address and port are those of an https server.',
};

const tlsCodes =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|IP_ADDRESS_MISMATCH|INVALID_(NON_)?CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|ERROR_IN_C)/;

/** Meaning of `code`, or undefined if it is not a TLS error code. */
export function tlsProblem(code: string): TlsProblem | undefined {
  if (!tlsCodes.test(code)) return undefined;
  const known = problems.find(([codes]) => codes.test(code))?.[1] ?? unknownProblem;
  return { reason: known.reason, words: sayListed(known.words), remedy: sayListed(known.remedy) };
}
