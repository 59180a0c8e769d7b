import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageContract } from '../../../src/contract/pages/channel.ts';
import { PageHost } from '../../support/pages/pageHost.ts';
import { ScriptedPage, type PageStates } from '../../support/pages/scriptedPage.ts';
import { lookAt, sizes } from '../../support/pages/stateWalk.ts';
import { builderStates } from '../../support/pages/states/builderStates.ts';
import { importStates, tagValuesStates } from '../../support/pages/states/formStates.ts';
import { keepAxe } from '../../support/webview/accessibility.ts';
import { UnseenRules } from '../../support/webview/styleRules.ts';

let host: PageHost;
beforeAll(async () => {
  host = await PageHost.start({ size: sizes[0][1] });
});
afterAll(() => host.stop());

/** Looks at every state of a page. @param files its own style sheets. @param exceptions what shows while something is dragged. */
function isAccessibleInAll<C extends PageContract>(
  bundle: string,
  states: PageStates<C>,
  files: readonly string[],
  exceptions: readonly string[] = [],
): void {
  describe(`the page ${bundle}`, () => {
    const rules = new UnseenRules(files, exceptions);
    let scripted: ScriptedPage<C>;
    beforeAll(async () => {
      scripted = await ScriptedPage.open<C>(host, bundle);
      await keepAxe(scripted.page);
    });
    afterAll(() => scripted.page.close());

    it.each(Object.entries(states))('breaks no rule: %s', async (name, { answers, reach }) => {
      await scripted.show(answers);
      await reach?.(scripted);
      await lookAt(scripted.page, `${bundle} ${name}`, (frame) => rules.see(frame));
    });

    it('is looked at whole: every rule of its style sheets is for a state above', () => {
      expect(rules.left).toEqual([]);
    });
  });
}

const builder = 'src/features/builder/page';
isAccessibleInAll(
  'builder',
  builderStates,
  ['builder', 'rows', 'panes', 'fields/fieldTree', 'fields/fieldList'].map((name) => `${builder}/${name}.css`),
  ['.is-drop'],
);
isAccessibleInAll('tagValues', tagValuesStates, ['src/features/tagValues/page/tagValues.css']);
isAccessibleInAll('userImport', importStates, ['src/features/userImport/page/import.css']);
