import { expect, it } from 'vitest';
import type * as vscode from 'vscode';
import type { LanguageModel } from '../../../../../src/features/documents/language/languageModel.ts';
import { ObjectLenses } from '../../../../../src/features/documents/language/objectLenses.ts';
import { JsonText } from '../../../../../src/objects/language/jsonText.ts';
import { noFacts } from '../../../../../src/objects/language/serverFacts.ts';
import { policyKind } from '../../../../../src/objects/kinds/securityKinds.ts';

/** Titles of the lenses over a policy of which the server's list is not known. */
async function titlesOver(text: string): Promise<(string | undefined)[]> {
  const target = { connectionId: 'shop', kind: 'policy', id: '7', name: 'Own states' };
  const model = {
    onDidChange: () => ({ dispose: () => undefined }),
    read: () => ({ json: new JsonText(text), kind: policyKind, target }),
    learn: async () => undefined,
    factsOf: () => noFacts,
  } as unknown as LanguageModel;
  const document = { uri: { query: 'one' }, positionAt: () => ({ line: 0, character: 0 }) };
  const lenses = new ObjectLenses(model);
  const shown = await lenses.provideCodeLenses(document as unknown as vscode.TextDocument);
  lenses.dispose();
  return shown.map(({ command }) => command?.title);
}

it('tells to whom a policy is assigned, which is unknown while its text is broken', async () => {
  const whole = '{ "Name": "Own states", "isActive": true, "Groups": [{ "GroupId": "1" }], "Users": [] }';
  expect(await titlesOver(whole)).toEqual(['Deactivate', 'Assigned to 1 group']);
  expect(await titlesOver(whole.replace('"Groups": [', '"Groups": "'))).toEqual(['Assignment unknown']);
});
