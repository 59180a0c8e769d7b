import { isJsonObject, parseExact, type Json } from '../../../src/objects/json.ts';
import type { TenantPerson } from './tenantPerson.ts';

/** The sample's other administrator, who changes a policy by the API, digit for digit as the server shows it. */
export function colleagueAt(apiBase: string, password: string): TenantPerson['colleagueChanges'] {
  const call = async (endpoint: string, body: object): Promise<Json> => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${apiBase}/${endpoint}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return parseExact(await reply.text());
  };
  return async (name, fields) => {
    const credentials = { UserId: 'sample.admin', UserPassword: password, isGuest: false, bolForceLogin: true };
    const login = await call('login/DoLogin', credentials);
    const session = isJsonObject(login) && isJsonObject(login.LoginSession) ? login.LoginSession : {};
    const sessionToken = session.SessionToken;
    const policies = await call('Shield/GetAllShieldPolicies', { sessionToken });
    const held = Array.isArray(policies) ? policies.filter(isJsonObject).find(({ Name }) => Name === name) : undefined;
    const groups = Array.isArray(held?.Groups) ? held.Groups.filter(isJsonObject).map(({ GroupId }) => GroupId) : [];
    const policy = { ...held, ...fields };
    const saved = await call('Shield/SaveShieldPolicy', { sessionToken, policy, isDeepSave: true, groups, users: [] });
    if (!held || !isJsonObject(saved) || Number(saved.error_code ?? saved.ErrorCode ?? 0) !== 0)
      throw new Error(`The colleague could not change ${name}: ${JSON.stringify(saved).slice(0, 300)}`);
  };
}
