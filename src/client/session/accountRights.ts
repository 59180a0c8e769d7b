import type { User } from '../../contract/resources/user.ts';
import type { LoginResponse } from '../../contract/resources/session.ts';
import type { SessionAccount } from './sessionState.ts';

/** The rights of an account according to its user record. API description, User. */
export function rightsOf({
  isAdmin,
  isSuperAdmin,
}: Pick<User, 'isAdmin' | 'isSuperAdmin'>): Required<Pick<SessionAccount, 'isAdmin' | 'isSuperAdmin'>> {
  return { isAdmin: isAdmin === true || isSuperAdmin === true, isSuperAdmin: isSuperAdmin === true };
}

const longestName = 100;

/** The time zone of an account according to its user record. API description, User. */
export function accountZone({
  timezone,
  timezonename,
}: Partial<Pick<User, 'timezone' | 'timezonename'>>): Pick<SessionAccount, 'timezone' | 'timezonename'> {
  const isNamed = typeof timezonename === 'string' && timezonename !== '' && timezonename.length <= longestName;
  return {
    timezone: typeof timezone === 'number' ? timezone : undefined,
    timezonename: isNamed ? timezonename : undefined,
  };
}

const longestState = 100;
const mostFeatures = 20;

/** Tenant mode, licence state and seats according to the reply to a sign-in. API description, Login response. */
export function licenceFacts({
  Tenant_Mode,
  maustate,
  LicensedFeatures,
}: Pick<LoginResponse, 'Tenant_Mode' | 'maustate' | 'LicensedFeatures'>): Pick<
  SessionAccount,
  'tenantMode' | 'licenceState' | 'licences'
> {
  const state = plain(maustate ?? '');
  const licences = (LicensedFeatures ?? [])
    .filter(({ Feature }) => Feature)
    .slice(0, mostFeatures)
    .map(({ Feature, count }) => plain(`${Feature ?? ''} ${count ?? ''}`))
    .join(', ');
  return {
    ...(Tenant_Mode === true && { tenantMode: true }),
    ...(state !== '' && state.toLowerCase() !== 'normal' && { licenceState: state }),
    ...(licences !== '' && { licences }),
  };
}

/** Server text that becomes part of messages: in one line, without characters that change how others are displayed. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, ' ').trim().slice(0, longestState);
}
