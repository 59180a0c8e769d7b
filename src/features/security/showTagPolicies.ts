import * as vscode from 'vscode';
import { showQuickPick } from '../../editor/quickInput.ts';
import * as z from 'zod';
import { displayText } from '../../editor/displayText.ts';

const shown = z.object({
  connectionId: z.string(),
  name: z.string(),
  policies: z.array(z.object({ id: z.string(), name: z.string(), detail: z.string() })),
});

/** Offers the policies that use a data tag and opens the chosen one; called above the tag's name. */
export async function showTagPolicies(argument: unknown): Promise<void> {
  const { connectionId, name, policies } = shown.parse(argument);
  const items = policies.map((policy) => ({
    label: displayText(policy.name),
    description: displayText(policy.detail),
    policy,
  }));
  const [only] = items;
  const picked =
    items.length === 1 && only
      ? only
      : await showQuickPick(items, { title: vscode.l10n.t('Policies that use {0}', displayText(name)) });
  if (!picked) return;
  const target = { connectionId, kind: 'policy', id: picked.policy.id, name: picked.policy.name };
  await vscode.commands.executeCommand('analytics.object.open', target);
}
