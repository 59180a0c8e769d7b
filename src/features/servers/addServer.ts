import * as vscode from 'vscode';
import { isClientError } from '../../client/clientError.ts';
import type { FoundServer } from '../../client/http/probe.ts';
import { requestLog } from './requestLog.ts';
import { accountDraft, accountSteps, finishAccount, type AccountDraft } from './accountSteps.ts';
import { isAboutCertificate } from '../../editor/certificateProblems.ts';
import { askText, walkSteps, type StepAnswer } from '../../editor/pickers/inputSteps.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** Adds a server: address, user or guest, user name, password. Nothing is saved before sign-in succeeds. */
export async function addServer(services: CommandServices): Promise<void> {
  const draft = accountDraft(vscode.l10n.t('Add Server'), 1);
  let address = '';
  const askForAddress = async (): Promise<StepAnswer<true>> => {
    const answer = await askAddress(draft, address, services);
    if (typeof answer !== 'string') return answer;
    address = answer;
    return true;
  };
  const isComplete = await walkSteps([askForAddress, ...accountSteps(draft, services)]);
  await finishAccount(draft, isComplete, services);
}

/** The address, probed for the path of the API before going on. */
function askAddress(draft: AccountDraft, value: string, services: CommandServices): Promise<StepAnswer<string>> {
  return askText({
    title: draft.title,
    step: [1, 4],
    value,
    placeholder: 'https://reports.example.com',
    prompt: vscode.l10n.t('Address of the server. The path of its API is found for you.'),
    accept: async (address, signal) => {
      try {
        const found = await findServer(address, signal, services);
        draft.server = { kind: 'remote', name: new URL(found.apiBase).host, ...found };
        return undefined;
      } catch (error) {
        if (isClientError(error)) return `${error.message} ${error.remedy}`.trim();
        throw error;
      }
    },
  });
}

/** Finds the API below an address; on the way the user may trust a certificate or sign in to a proxy. */
async function findServer(address: string, signal: AbortSignal, services: CommandServices): Promise<FoundServer> {
  const { network, log } = services;
  const { parseAddress, probeServer } = await import('../../client/http/probe.ts');
  const root = parseAddress(address);
  const probe = async () => probeServer(root, { signal, logger: requestLog(log), ...(await network.routeTo(root)) });
  try {
    return await probe();
  } catch (error) {
    if (isAboutCertificate(error)) {
      const { askToTrust } = await import('./trustCertificate.ts');
      if (await askToTrust(root, network, signal)) return await probe();
    } else if (isClientError(error) && error.reason === 'proxySignIn') {
      const proxy = network.proxyFor(root);
      const { askProxyAccount } = await import('./networkSecrets.ts');
      if (proxy && (await askProxyAccount(proxy, services))) return await probe();
    }
    throw error;
  }
}
