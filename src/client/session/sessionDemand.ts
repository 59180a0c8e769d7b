import type { LoginResponse } from '../../contract/resources/session.ts';
import type { SessionDemand } from './sessionState.ts';

/**
 * What the reply to a sign-in wants of a person. The description lists no values of the second factor's fields: an address
 * to confirm at is one, and so is any state but none where no token came. API description, Session and User.
 */
export function demandOf({ LoginSession, LoginUser }: LoginResponse): SessionDemand | undefined {
  const hasAddress = isSaid(LoginSession?.Mfa2FA_AuthURI);
  const isOpen = !isSaid(LoginSession?.SessionToken) && isSaid(LoginSession?.Mfa2FA_State);
  if (hasAddress || isOpen) return 'secondFactor';
  return LoginUser?.bforcepasschange === true ? 'newPassword' : undefined;
}

function isSaid(text: string | null | undefined): boolean {
  return typeof text === 'string' && !['', 'none'].includes(text.trim().toLowerCase());
}
