import * as vscode from 'vscode';
import { showInformationMessage, showWarningMessage, setStatusBarMessage } from '../../editor/messages.ts';
import type { CertificateFacts } from '../../client/http/inspectCertificate.ts';
import { displayText } from '../../editor/displayText.ts';
import type { Network } from '../../connections/network/network.ts';
import { attempt } from '../../editor/commandError.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** Shows a server's certificate and, if confirmed, trusts that certificate from now on. */
export async function trustCertificate(services: CommandServices, argument?: unknown): Promise<void> {
  const isEncrypted = ({ entry }: { entry: { apiBase: string } }) => entry.apiBase.startsWith('https:');
  const place = vscode.l10n.t('Select the server whose certificate to trust');
  const none = vscode.l10n.t('Your servers use plain HTTP, so there is no certificate to trust.');
  const connection = await serverOf(argument, services, place, isEncrypted, none);
  if (!connection) return;
  const { apiBase } = connection.entry;
  const what = vscode.l10n.t('Could not read the certificate of {0}', connection.name);
  if (!isEncrypted(connection)) {
    void showInformationMessage(vscode.l10n.t('{0} uses plain HTTP and has no certificate.', connection.name));
    return;
  }
  const isTrusted = await attempt(what, () => confirmTrust(apiBase, services.network, new AbortController().signal));
  if (isTrusted) await services.tree.refresh();
}

/** Stops trusting a pinned certificate; the server's certificate is verified normally again. */
export async function forgetCertificate(services: CommandServices, argument?: unknown): Promise<void> {
  const { network } = services;
  const isPinned = ({ entry }: { entry: { apiBase: string } }) =>
    URL.canParse(entry.apiBase) && network.pins.get(new URL(entry.apiBase).origin) !== undefined;
  const place = vscode.l10n.t('Select the server whose certificate to forget');
  const none = vscode.l10n.t('No trusted certificates are stored for individual servers.');
  const connection = await serverOf(argument, services, place, isPinned, none);
  if (!connection) return;
  await network.unpin(connection.entry.apiBase);
  setStatusBarMessage(
    vscode.l10n.t('The stored certificate of {0} was removed', new URL(connection.entry.apiBase).host),
    8_000,
    'check',
  );
}

/**
 * Shows the certificate at `address` and asks whether to trust it. Only a TLS handshake is sent to the server.
 * @returns whether it is now pinned.
 * @throws {ClientError} if the certificate cannot be retrieved.
 */
export async function confirmTrust(address: string, network: Network, signal: AbortSignal): Promise<boolean> {
  const { inspectCertificate } = await import('../../client/http/inspectCertificate.ts');
  const { origin, host } = new URL(address);
  const facts = await inspectCertificate(address, { ...(await network.routeTo(address)), signal });
  const pinned = network.pins.get(origin)?.fingerprint;
  if (pinned === facts.fingerprint) {
    void showInformationMessage(vscode.l10n.t('The certificate of {0} is already trusted.', host));
    return true;
  }
  const trust = vscode.l10n.t('Trust This Certificate');
  const detail = certificateLines(facts, pinned).join('\n');
  const question =
    pinned === undefined
      ? vscode.l10n.t('Trust the certificate of {0}?', host)
      : vscode.l10n.t('The certificate of {0} has changed. Trust the new one?', host);
  if ((await showWarningMessage(question, { modal: true, detail }, trust)) !== trust) return false;
  await network.pin(address, facts.fingerprint);
  return true;
}

/** Certificate details to compare with those published by the server's operator. */
export function certificateLines(facts: CertificateFacts, pinned: string | undefined): string[] {
  const oneLine = (text: string) => displayText(text.replaceAll('\n', ', '));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const changed =
    pinned === undefined
      ? []
      : [
          vscode.l10n.t(
            'The certificate may have been renewed, or someone may be intercepting the connection. Nothing was sent.',
          ),
          '',
          vscode.l10n.t('Trusted so far: {0}', pinned),
          '',
        ];
  return [
    ...changed,
    vscode.l10n.t('Issued to: {0}', oneLine(facts.subject)),
    vscode.l10n.t('Issued by: {0}', oneLine(facts.issuer)),
    vscode.l10n.t('Names: {0}', facts.names.map(oneLine).join(', ') || vscode.l10n.t('none')),
    vscode.l10n.t('Valid: {0} to {1}', day(facts.validFrom), day(facts.validTo)),
    vscode.l10n.t('SHA-256: {0}', facts.fingerprint),
    '',
    facts.problem === undefined
      ? vscode.l10n.t('This computer already trusts it.')
      : vscode.l10n.t('Not trusted by this computer: {0}.', facts.problem),
    vscode.l10n.t(
      'Compare the SHA-256 fingerprint with the one from the server administrator. Once trusted, only this certificate is accepted for this server. With any other certificate, the connection ends before anything is sent.',
    ),
  ];
}
