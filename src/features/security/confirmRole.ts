import * as vscode from 'vscode';
import type { ApplicationSeats, NamedId } from '../../access/applicationRoles.ts';
import { deleting, inApplication } from '../../access/rows/accessEdits.ts';
import { listed, onOneLine } from '../../access/rows/accessWords.ts';
import { accessEffect } from '../../access/rows/accessEffect.ts';
import type { Connection } from '../../connections/connection.ts';
import { roles as allRoles } from '../../contract/roles.ts';
import { attempt } from '../../editor/commandError.ts';
import { showWarningMessage } from '../../editor/messages.ts';
import type { VerifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { namedAtMost } from './confirmMembership.ts';

/** A user, with the ids of the roles on an application. */
export interface Holder extends NamedId {
  readonly roles: readonly string[];
  /** Undefined if unknown. */
  readonly isSuperAdmin: boolean | undefined;
}

/** Names of roles. */
export function roleNames(ids: readonly string[]): string {
  return ids.map((id) => allRoles.find((role) => role.id === id)?.name ?? id).join(', ');
}

/** Marks the present role of `count` of the users; empty for none. */
export function currentRole(count: number, users: number): string {
  if (count === 0) return '';
  return count === users ? vscode.l10n.t('current role') : vscode.l10n.t('current role of {0}', count);
}

/** Free seats of an application in words; empty if unknown. */
export function seatsLeft({ left, refusal }: ApplicationSeats): string {
  if (refusal === 'expired') return vscode.l10n.t('licence expired');
  if (refusal === 'unlicensed') return vscode.l10n.t('not licensed');
  if (left === undefined) return '';
  return left === 1 ? vscode.l10n.t('1 seat left') : vscode.l10n.t('{0} seats left', left);
}

/** A role to be given on an application. */
export interface Grant {
  connection: Connection;
  shown: VerifiedServer;
  application: ApplicationSeats;
  /** Users with other roles or none. */
  holders: readonly Holder[];
  role: NamedId;
  /** Whether the user asked to change present roles. */
  isChange: boolean;
}

/**
 * Asks before several users get a role, before a grant changes a present role, when seats are short, and when a user who had none
 * will see all rows of tables that policies restrict for others in this application.
 * @returns the users to send; none if cancelled.
 */
export async function confirmGrant(grant: Grant): Promise<readonly Holder[]> {
  const { connection, shown, application, holders, role, isChange } = grant;
  const fresh = holders.filter(({ roles }) => roles.length === 0);
  const changing = holders.filter(({ roles }) => roles.length > 0);
  const what = vscode.l10n.t('Could not determine who sees more rows on {0}', connection.name);
  const newcomers = fresh.map(({ id }) => ({ kind: 'user', id }));
  const within = inApplication(application.id);
  const { lines: rows } =
    newcomers.length === 0
      ? { lines: [] }
      : await attempt(what, async () => {
          const without = deleting(newcomers);
          return accessEffect(await shown.server(), within, (lists) => without(within(lists)));
        });
  const seats = shortage(application, fresh.length);
  const [only] = holders;
  const isClear = holders.length === 1 && (isChange || changing.length === 0);
  if (isClear && rows.length + seats.length === 0) return holders;
  const question =
    holders.length === 1 && only
      ? vscode.l10n.t('Grant {0} the role {1} in {2} on {3}?', only.name, role.name, application.name, connection.name)
      : vscode.l10n.t(
          'Grant {0} users the role {1} in {2} on {3}?',
          holders.length,
          role.name,
          application.name,
          connection.name,
        );
  const names = [
    ...changing.map(({ name, roles }) => vscode.l10n.t('{0} currently has {1}', onOneLine(name), roleNames(roles))),
    ...(holders.length > 1 ? fresh.map(({ name }) => vscode.l10n.t('{0} has no role yet', onOneLine(name))) : []),
  ];
  const detail = [...seats, ...rows, ...atMost(names)].join('\n');
  const all = changing.length > 0 ? vscode.l10n.t('Change Roles') : vscode.l10n.t('Grant');
  const some = vscode.l10n.t('Grant Only New Roles');
  const answers = changing.length > 0 && fresh.length > 0 ? [all, some] : [all];
  const answer = await showWarningMessage(question, { modal: true, detail }, ...answers);
  if (answer === some) return fresh;
  return answer === all ? holders : [];
}

/** Asks by name before users lose their roles on an application. */
export async function confirmRevoke(
  connection: Connection,
  application: NamedId,
  holders: readonly Holder[],
): Promise<boolean> {
  const revoke = vscode.l10n.t('Revoke');
  const [only] = holders;
  const seats = holders.reduce((sum, { roles }) => sum + roles.length, 0);
  const question =
    holders.length === 1 && only
      ? vscode.l10n.t(
          'Revoke the role {0} of {1} in {2} on {3}?',
          roleNames(only.roles),
          only.name,
          application.name,
          connection.name,
        )
      : vscode.l10n.t(
          'Revoke the roles of {0} users in {1} on {2}?',
          holders.length,
          application.name,
          connection.name,
        );
  const names = holders.map(({ name, roles }) => `${onOneLine(name)}: ${roleNames(roles)}`);
  const detail = [
    ...(holders.length > 1 ? atMost(names) : []),
    ...lossesOf(holders, onOneLine(application.name)),
    seats === 1 ? vscode.l10n.t('1 seat becomes free.') : vscode.l10n.t('{0} seats become free.', seats),
  ].join('\n');
  return (await showWarningMessage(question, { modal: true, detail }, revoke)) === revoke;
}

/** Who can use the application's reports without a role, and who cannot. API description, notes on permissions. */
function lossesOf(holders: readonly Holder[], application: string): string[] {
  const namesOf = (isSuperAdmin: boolean | undefined) =>
    holders.filter((holder) => holder.isSuperAdmin === isSuperAdmin).map(({ name }) => name);
  const [losing, keeping, unknown] = [namesOf(false), namesOf(true), namesOf(undefined)];
  return [
    ...(losing.length > 0
      ? [vscode.l10n.t('{0} will no longer be able to use reports of {1}.', listed(losing), application)]
      : []),
    ...(keeping.length > 0
      ? [vscode.l10n.t('{0} will still be able to use reports of {1} as super-admin.', listed(keeping), application)]
      : []),
    ...(unknown.length > 0
      ? [vscode.l10n.t('{0} will be able to use reports of {1} only as super-admin.', listed(unknown), application)]
      : []),
  ];
}

function shortage({ left, refusal, name }: ApplicationSeats, needed: number): string[] {
  if (needed === 0) return [];
  if (refusal === 'expired') return [vscode.l10n.t('The licence of {0} has expired.', name)];
  if (refusal === 'unlicensed') return [vscode.l10n.t('{0} is not licensed.', name)];
  if (left === undefined || needed <= left) return [];
  return [vscode.l10n.t('{0} seats are needed and {1} left: the server may refuse the rest.', needed, left)];
}

function atMost(lines: readonly string[]): string[] {
  const rest = lines.length - namedAtMost;
  return rest > 0 ? [...lines.slice(0, namedAtMost), vscode.l10n.t('and {0} more', rest)] : [...lines];
}
