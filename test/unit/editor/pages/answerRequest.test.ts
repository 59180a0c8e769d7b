import fc from 'fast-check';
import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { RequestHandlers } from '../../../../src/contract/pages/channel.ts';
import { answerRequest } from '../../../../src/editor/pages/answerRequest.ts';
import { panelState, resultsRequests } from '../../../../src/features/reports/run/resultsRequests.ts';

interface Contract {
  requests: { double: { params: number; answer: number }; fail: { params: null; answer: null } };
  events: Record<string, never>;
}
const schemas = { double: z.number(), fail: z.null() };
const handlers: RequestHandlers<Contract> = {
  double: async (number) => number * 2,
  fail: () => {
    throw new Error('cannot');
  },
};
const ask = (name: string, params: unknown) =>
  answerRequest<Contract>({ kind: 'request', id: 9, name, params }, schemas, handlers);

describe('answering a page', () => {
  it('gives the value', async () => {
    expect(await ask('double', 4)).toEqual({ kind: 'answer', id: 9, ok: true, value: 8 });
  });

  it('gives the reason why there is none', async () => {
    expect(await ask('fail', null)).toEqual({ kind: 'answer', id: 9, ok: false, message: 'cannot' });
  });

  it.each(['toString', '__proto__', 'constructor', 'other', ''])('refuses the request %j', async (name) => {
    expect(await ask(name, null)).toMatchObject({ ok: false });
  });

  it('refuses params of a wrong form, and answers all the same', async () => {
    const anything = fc.anything().filter((params) => typeof params !== 'number' || Number.isNaN(params));
    await fc.assert(
      fc.asyncProperty(anything, async (params) => {
        expect(await ask('double', params)).toMatchObject({ kind: 'answer', id: 9, ok: false });
      }),
    );
  });

  it('says nothing to what is no request', async () => {
    expect(await answerRequest<Contract>({ kind: 'hello' }, schemas, handlers)).toBeUndefined();
  });
});

describe('what the results page may send', () => {
  it('takes an arrangement through a message', () => {
    const sent = { sort: [{ column: 1, isDescending: true }], filters: { 0: 'x' }, search: '' };
    expect(resultsRequests.arrange.parse(JSON.parse(JSON.stringify(sent)))).toEqual(sent);
  });

  it.each([
    ['rows', { view: 1, start: -1, count: 5 }],
    ['rows', { view: 1, start: 0.5, count: 5 }],
    ['rows', null],
    ['copy', { view: 1, firstRow: 0, lastRow: 1, columns: ['0'], withHeaders: true }],
    ['arrange', { sort: [], filters: { x: 'y' }, search: '' }],
    ['submitPrompts', [{ low: 1, high: '', list: [], isSkipped: false }]],
    ['openLink', { view: 1, row: 0, column: 'https://example.com' }],
    ['run', 'now'],
  ] as const)('refuses %s with %j', (name, params) => {
    expect(resultsRequests[name].safeParse(params).success).toBe(false);
  });

  it('takes back what a panel kept, and nothing else', () => {
    const kept = { connectionId: 'c', reportId: '7', name: 'Delays' };
    expect(panelState.safeParse(kept).success).toBe(true);
    expect([{}, null, { ...kept, lastRun: { values: 5 } }].map((value) => panelState.safeParse(value).success)).toEqual(
      [false, false, false],
    );
  });
});
