import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuilderHost, type ShownBuilder } from '../support/pages/builderHost.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { waitFor } from '../support/waitFor.ts';

/** Presses of Tab that reach any control of the page. */
const mostTabs = 90;

describe('a report built by keyboard alone', () => {
  let server: TestServer;
  let host: BuilderHost;
  let builder: ShownBuilder;
  beforeAll(async () => {
    server = await startServer({ sample: true });
    host = await BuilderHost.start(server);
    builder = await host.begin(host.connection, [
      ['report type', 'Flights'],
      ['folder', 'Flights'],
      ['output type', 'DataGrid'],
      ['name', 'By keys'],
    ]);
  });
  afterAll(async () => {
    await host.stop();
    await server.stop();
  });

  const key = (name: string) => builder.page.keyboard.press(name);
  const type = (text: string) => builder.page.keyboard.type(text, { delay: 20 });

  /** Walks to a control that is called so, forwards; behind its end the page begins again. */
  async function walkTo(name: string | RegExp): Promise<void> {
    const seen: string[] = [];
    for (let step = 0; step < mostTabs; step++) {
      const now = await builder.focused();
      if (typeof name === 'string' ? now === name : name.test(now)) return;
      seen.push(now);
      await key('Tab');
    }
    expect.fail(`Tab never reached ${String(name)}, only ${[...new Set(seen)].join(' · ')}`);
  }

  it('gets fields, an aggregate, a place, a formula and a sort', async () => {
    await walkTo('Search fields');
    for (const field of ['distance', 'origin state']) {
      const before = (await builder.fieldNames()).length;
      await key('Shift+Home');
      await type(field);
      await key('Enter');
      await waitFor(`${field} to be added`, async () => (await builder.fieldNames()).length === before + 1);
    }
    await walkTo('Use of Distance');
    await type('Av');
    await builder.sqlSays(/avg\("flights"\."distance"\)/);
    await walkTo('Name of field 2');
    await key('Alt+ArrowUp');
    await builder.hasFields(['Origin State', 'Distance']);
    await walkTo('Sort Origin State: not sorted');
    await key('Enter');
    await walkTo('Formula of Distance');
    await key('Enter');
    await key('Tab');
    await walkTo('Formula of Distance');
    await type('roun');
    await builder.frame.getByRole('option', { name: /^ROUND/ }).waitFor();
    await key('Enter');
    await builder.sqlSays(/round\("flights"\."distance", 2\).* ORDER BY/);
  });

  it('gets nested criteria with values of the database, and a total', async () => {
    await walkTo(/^Fields/);
    await key('ArrowRight');
    await expect.poll(() => builder.focused()).toMatch(/^Criteria/);
    for (const number of [1, 2]) {
      await walkTo('Field of the new criterion');
      await type('Origin');
      await walkTo('Add Criterion');
      await key('Enter');
      // Who adds a row goes on in it.
      await waitFor(
        'the focus',
        async () => (await builder.focused()) === `Operator of Origin State, criterion ${number}`,
      );
    }
    await walkTo('Operator of Origin State, criterion 1');
    await type('is one of');
    await walkTo('Origin State, criterion 1: Add a value');
    await type('C');
    await builder.frame.getByRole('option', { name: 'CA', exact: true }).waitFor();
    await type('A');
    await key('Enter');
    await walkTo('Group in parentheses with adjacent conditions: Origin State, criterion 1');
    await key('Space');
    await walkTo('Before Origin State, criterion 2');
    await type('or');
    await walkTo('Value of Origin State, criterion 2');
    await type('TX');
    await builder.sqlSays(/IN \('CA'\).* OR .*= 'TX'|'CA'.* OR .*'TX'/i);
    await walkTo(/^Criteria/);
    await key('ArrowRight');
    await walkTo('Add Total');
    await key('Enter');
    await waitFor('the focus', async () => (await builder.focused()) === 'Function of Total 1');
    await type('Max');
    await walkTo('Field of Total 1');
    await type('Dist');
  });

  it('is saved and run', async () => {
    await key('Control+s');
    builder = await host.opened();
    const results = await host.run('By keys');
    await expect.poll(() => results.column('Origin State')).toEqual(['CA', 'TX']);
  });
});
