import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BuilderContract, BuilderDocument } from '../../src/features/builder/pageContract.ts';
import { PageHost } from '../support/pages/pageHost.ts';
import { ScriptedPage } from '../support/pages/scriptedPage.ts';
import { builderStates } from '../support/pages/states/builderStates.ts';
import { waitFor } from '../support/waitFor.ts';

const { answers } = builderStates['context: ready'] ?? expect.fail('There is no such state.');

/** An edit that the host has received. */
interface Sent {
  what: unknown;
  answer: PromiseWithResolvers<null>;
}

describe('edits of the builder, whose host takes its time', () => {
  let host: PageHost;
  let scripted: ScriptedPage<BuilderContract>;
  let shown: BuilderDocument;
  let sent: Sent[];
  beforeAll(async () => {
    host = await PageHost.start();
    scripted = await ScriptedPage.open<BuilderContract>(host, 'builder');
  });
  afterAll(() => host.stop());
  beforeEach(async () => {
    sent = [];
    const snapshot = (await answers.ready?.(null)) ?? expect.fail('The state has no snapshot.');
    shown = snapshot.document;
    const receive = (what: unknown) => {
      const answer = Promise.withResolvers<null>();
      sent.push({ what, answer });
      return answer.promise;
    };
    await scripted.show({ ...answers, ready: () => snapshot, sortField: receive, edit: receive });
  });

  const button = (name: string) => scripted.page.getByRole('button', { name, exact: true });
  const received = (at: number) => waitFor(`edit ${at + 1}`, async () => sent[at]);

  /** Tells the page that a field is sorted, as the last level. */
  const tellSorted = (index: number, priority: number) => {
    const report = shown.report ?? expect.fail('There is no report.');
    const fields = report.fields.map((field) =>
      field.index === index ? { ...field, sort: { isDescending: false, priority } } : field,
    );
    shown = { ...shown, report: { ...report, fields } };
    scripted.tell('document', shown);
  };
  /** Ends when the page has got all that it was sent. */
  const caughtUp = async (place: string) => {
    scripted.tell('place', place);
    await scripted.page.locator('.bound', { hasText: place }).waitFor();
  };

  const moments = ['before the document has the first', 'before the answer to the first', 'after the first'] as const;
  it.each(moments)('are both made and shown: the second %s', async (moment) => {
    await button('Sort Day: not sorted').click();
    await button('Sort Day: ascending').waitFor();
    const first = await received(0);
    const second = () => button('Sort Share: not sorted').click();
    if (moment === moments[0]) await second();
    tellSorted(2, 3);
    await caughtUp('told');
    if (moment === moments[1]) await second();
    first.answer.resolve(null);
    await caughtUp('answered');
    await button('Sort Day: ascending, Sort level 3').waitFor();
    if (moment === moments[2]) await second();
    await button('Sort Share: ascending').waitFor();
    const { what, answer } = await received(1);
    tellSorted(3, 4);
    answer.resolve(null);
    for (const name of ['Day: ascending, Sort level 3', 'Share: ascending, Sort level 4'])
      await button(`Sort ${name}`).waitFor();
    expect([first.what, what]).toEqual([2, 3].map((field) => ({ version: 1, field, direction: 'asc' })));
  });

  /** Presses the mouse on a button that a reply of the server is to move. */
  const pressWhileMoved = async (name: string) => {
    const { page } = scripted;
    const { x, y } = (await button(name).boundingBox()) ?? expect.fail(`There is no button "${name}".`);
    await page.mouse.move(x + 8, y + 8);
    await page.mouse.down();
    const { sql } = (await answers.ready?.(null)) ?? expect.fail('The state has no snapshot.');
    scripted.tell('sql', { ...sql, problem: 'There is no such column.', problemField: 1 });
    // It is sent by now, and there when the page evaluates something else.
    await setImmediate();
    await page.evaluate('0');
  };
  const isRefused = () => scripted.page.locator('.field-problem', { hasText: 'There is no such column.' }).waitFor();

  it('are made by a click on a button that a reply of the server would move meanwhile', async () => {
    await pressWhileMoved('Sort Share: not sorted');
    await scripted.page.mouse.up();
    await button('Sort Share: ascending').waitFor();
    await isRefused();
    expect((await received(0)).what).toEqual({ version: 1, field: 3, direction: 'asc' });
  });

  it('are given up by releasing the mouse elsewhere, and the page goes on', async () => {
    await pressWhileMoved('Sort Share: not sorted');
    await scripted.page.mouse.move(1, 1);
    await scripted.page.mouse.up();
    await isRefused();
    await button('Sort Share: not sorted').waitFor();
    expect(sent).toEqual([]);
  });

  it('say why one failed until a later one succeeds, not one that was sent before', async () => {
    await button('Sort Day: not sorted').click();
    await button('Hide Share: filter and sort only').click();
    const [sort, hide] = [await received(0), await received(1)];
    sort.answer.reject(new Error('The server did not answer.'));
    const reason = scripted.page.locator('.is-remark', { hasText: 'The server did not answer.' });
    await reason.waitFor();
    await button('Sort Day: not sorted').waitFor();
    hide.answer.resolve(null);
    await caughtUp('answered');
    expect(await reason.count()).toBe(1);
    await button('Sort Day: not sorted').click();
    (await received(2)).answer.resolve(null);
    await reason.waitFor({ state: 'detached' });
  });
});
