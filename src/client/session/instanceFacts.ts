import type { EndpointPath } from '../../contract/endpoints.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import * as l10n from '../../l10n/l10n.ts';
import { isClientError } from '../clientError.ts';
import type { SessionAccount, SessionState } from './sessionState.ts';

type Facts = Pick<SessionAccount, 'tenantMode' | 'licenceState' | 'licences' | 'isSuperAdmin'>;

/** Calls that save, edit or delete content of the library. */
const contentWrites: ReadonlySet<string> = new Set<EndpointPath>([
  'Report/SaveReport',
  'Report/UpdateReport',
  'Dashboard/SaveDashboard',
  'Dashboard/DelDashboard',
  'library/SaveLibraryFolder',
  'library/DelFolder',
  'library/DelReport',
]);

/**
 * What restricts an account on this server, if it can be the reason that nothing is shown: tenant mode, which does not
 * restrict super-admins, and the state of the licence. API description, Authentication (Tenant Mode), Login response.
 */
export function whyNothingShown({ tenantMode, licenceState, isSuperAdmin }: Facts): string {
  const mode =
    tenantMode === true && isSuperAdmin !== true
      ? l10n.t('Tenant mode is on: builders and architects only use what the group All Users can see.')
      : '';
  return sentences(mode, stateOf(licenceState));
}

/**
 * The same refusal; what the sign-in said of tenant mode, licence state and licences is added to what the user can do,
 * where it can be the reason.
 */
export function withInstanceFacts(error: unknown, state: SessionState): unknown {
  if (!isClientError(error) || state.kind !== 'active' || error.reason !== undefined) return error;
  const facts = factsFor(error, state.account);
  // A call with a token is explained twice.
  return facts === '' || error.remedy.startsWith(facts) ? error : error.withRemedy(sentences(facts, error.remedy));
}

function factsFor({ kind, code, endpoint = '' }: { kind: string; code?: number; endpoint?: string }, account: Facts) {
  const { tenantMode, licenceState, licences, isSuperAdmin } = account;
  if (code === errorCodes.noLicence) {
    return sentences(stateOf(licenceState), licences === undefined ? '' : l10n.t('Licences: {0}.', licences));
  }
  if (contentWrites.has(endpoint) && (kind === 'noPermission' || code !== undefined)) {
    const isRestricted = kind === 'noPermission' || kind === 'refused';
    return isRestricted && tenantMode === true && isSuperAdmin !== true
      ? l10n.t(
          'Tenant mode is on: builders and architects cannot save, edit or delete content of folders that are open only to All Users.',
        )
      : '';
  }
  return kind === 'noPermission' ? whyNothingShown(account) : '';
}

function stateOf(licenceState: string | undefined): string {
  return licenceState === undefined ? '' : l10n.t('Licence state: {0}.', licenceState);
}

function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
