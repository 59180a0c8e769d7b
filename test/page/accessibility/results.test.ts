import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultsContract } from '../../../src/contract/pages/resultsPage.ts';
import { PageHost } from '../../support/pages/pageHost.ts';
import { ScriptedPage } from '../../support/pages/scriptedPage.ts';
import { lookAt, sizes } from '../../support/pages/stateWalk.ts';
import { resultsStates } from '../../support/pages/states/resultsStates.ts';
import { keepAxe } from '../../support/webview/accessibility.ts';
import { UnseenRules } from '../../support/webview/styleRules.ts';

describe('the results page', () => {
  const rules = new UnseenRules(
    [
      'src/webview/shared/base.css',
      'src/webview/grid/grid.css',
      'src/webview/prompts/prompts.css',
      'src/features/reports/view/page/results.css',
    ],
    // While a title is dragged.
    ['.is-dragged', '.grid-drop'],
  );
  let host: PageHost;
  let scripted: ScriptedPage<ResultsContract>;
  beforeAll(async () => {
    host = await PageHost.start({ size: sizes[0][1] });
    scripted = await ScriptedPage.open<ResultsContract>(host, 'results');
    await keepAxe(scripted.page);
  });
  afterAll(() => host.stop());

  it.each(Object.entries(resultsStates))('breaks no rule: %s', async (name, { answers, reach }) => {
    await scripted.show(answers);
    await reach?.(scripted);
    await lookAt(scripted.page, name, (frame) => rules.see(frame));
  });

  it('is looked at once the values of every column are drawn', async () => {
    const { answers, reach } = resultsStates['run: done'] ?? expect.fail('There is no such state.');
    const released = Promise.withResolvers<void>();
    let isReached = false;
    const profile: typeof answers.profile = async (params) => {
      if (params.column > 0) await released.promise;
      return (await answers.profile?.(params)) ?? null;
    };
    await scripted.show({ ...answers, profile });
    const reaching = Promise.resolve(reach?.(scripted)).then(() => (isReached = true));
    await scripted.page.locator('.grid-profile').first().waitFor();
    expect(isReached).toBe(false);
    released.resolve();
    await reaching;
    expect(await scripted.page.locator('.grid-profile').count()).toBe(4);
  });

  it('is looked at whole: every rule of its style sheets is for a state above', () => {
    expect(rules.left).toEqual([]);
  });
});
