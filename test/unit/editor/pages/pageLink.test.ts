import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../../src/contract/pages/channel.ts';
import { PageLink, type PagePort } from '../../../../src/editor/pages/pageLink.ts';

interface Contract {
  requests: Record<string, never>;
  events: { state: string };
}

/** A page that takes messages until it is closed, and refuses each one after as an editor does. */
class Page implements PagePort {
  readonly received: unknown[] = [];
  readonly refused: unknown[] = [];
  #listener: ((message: unknown) => unknown) | undefined;
  #isClosed = false;

  readonly onDidReceiveMessage = (listener: (message: unknown) => unknown) => {
    this.#listener = listener;
    return { dispose: () => (this.#listener = undefined) };
  };

  async postMessage(message: unknown): Promise<boolean> {
    (this.#isClosed ? this.refused : this.received).push(message);
    if (this.#isClosed) throw new Error('Webview is disposed');
    return true;
  }

  ask(message: unknown): void {
    this.#listener?.(message);
  }

  close(): void {
    this.#isClosed = true;
  }
}

const answer: HostMessage = { kind: 'answer', id: 1, ok: true, value: null };
/** After every promise that is settled already. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the link of a panel to its page', () => {
  it('answers and tells while the page is open', async () => {
    const page = new Page();
    const link = new PageLink<Contract>(page, async () => answer);
    page.ask('anything');
    link.tell('state', 'running');
    await settled();
    expect(page.received).toEqual([[{ kind: 'event', name: 'state', value: 'running' }, answer]]);
  });

  it('sends together, in order, what is said at once, and apart what is said later', async () => {
    const page = new Page();
    const link = new PageLink<Contract>(page, async () => undefined);
    const event = (value: string) => ({ kind: 'event', name: 'state', value });
    link.tell('state', 'first');
    await Promise.resolve();
    link.tell('state', 'second');
    await settled();
    link.tell('state', 'third');
    await settled();
    expect(page.received).toEqual([[event('first'), event('second')], [event('third')]]);
  });

  it('says nothing to a page that closes while it is answered, or that its own question closes', async () => {
    const page = new Page();
    const link: PageLink<Contract> = new PageLink<Contract>(page, async () => {
      page.close();
      link.dispose();
      return answer;
    });
    page.ask('close');
    link.tell('state', 'ended');
    await settled();
    expect(page.refused).toEqual([]);
    expect(page.received).toEqual([]);
  });

  it('hears nothing any more after that', async () => {
    const page = new Page();
    let asked = 0;
    const link = new PageLink<Contract>(page, async () => {
      asked += 1;
      return answer;
    });
    link.dispose();
    page.ask('late');
    await settled();
    expect(asked).toBe(0);
  });

  it('leaves what nobody waits for without an answer', async () => {
    const page = new Page();
    const link = new PageLink<Contract>(page, async () => undefined);
    page.ask('hello');
    await settled();
    expect(page.received).toEqual([]);
    link.dispose();
  });
});
