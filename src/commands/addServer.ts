import * as vscode from 'vscode';
import { isClientError } from '../client/clientError.ts';
import { requestLog } from '../connections/requestLog.ts';
import { accountDraft, accountSteps, finishAccount, type AccountDraft } from './accountSteps.ts';
import { askText, walkSteps, type StepAnswer } from './inputSteps.ts';
import type { CommandServices } from './services.ts';

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
function askAddress(draft: AccountDraft, value: string, { log }: CommandServices): Promise<StepAnswer<string>> {
  return askText({
    title: draft.title,
    step: [1, 4],
    value,
    placeholder: 'https://reports.example.com',
    prompt: vscode.l10n.t('Address of the server. The path of its API is found for you.'),
    accept: async (address, signal) => {
      const { probeServer } = await import('../client/probe.ts');
      try {
        const found = await probeServer(address, { signal, logger: requestLog(log) });
        draft.server = { kind: 'remote', name: new URL(found.apiBase).host, ...found };
        return undefined;
      } catch (error) {
        if (isClientError(error)) return `${error.message} ${error.remedy}`.trim();
        throw error;
      }
    },
  });
}
