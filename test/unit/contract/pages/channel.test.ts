import { describe, expect, it } from 'vitest';
import { readHostMessages, readPageMessage } from '../../../../src/contract/pages/channel.ts';

describe('messages between page and host', () => {
  it('reads a request and nothing more of it', () => {
    const message = { kind: 'request', id: 3, name: 'rows', params: { view: 1 }, extra: true };
    expect(readPageMessage(message)).toEqual({ kind: 'request', id: 3, name: 'rows', params: { view: 1 } });
  });

  it.each([undefined, null, 'request', [], {}, { kind: 'request' }, { kind: 'request', id: '1', name: 'rows' }])(
    'takes %j for no request',
    (message) => expect(readPageMessage(message)).toBeUndefined(),
  );

  it('reads answers and events', () => {
    const done = { kind: 'answer', id: 1, ok: true, value: [1] };
    const failed = { kind: 'answer', id: 2, ok: false, message: 'no' };
    const event = { kind: 'event', name: 'state', value: 5 };
    expect(readHostMessages([done, failed, event])).toEqual([done, failed, event]);
  });

  it('takes an answer without a verdict for a failure, and other things for nothing', () => {
    expect(readHostMessages([{ kind: 'answer', id: 2 }])).toEqual([{ kind: 'answer', id: 2, ok: false, message: '' }]);
    expect(readHostMessages([null, 7, { kind: 'event' }, { kind: 'answer', id: 'x' }])).toEqual([]);
    expect([null, 7, 'x', { kind: 'event', name: 'state' }].flatMap(readHostMessages)).toEqual([]);
  });
});
