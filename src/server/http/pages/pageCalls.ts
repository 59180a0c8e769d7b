import type { z } from 'zod';
import { endpoints, type EndpointPath } from '../../../contract/endpoints.ts';
import { errorCodes } from '../../../contract/errorCodes.ts';
import type { Dispatch } from '../dispatcher.ts';
import type { Reply } from '../reply.ts';
import type { RunningCall } from '../runningCall.ts';

/** The session in the page's address is not valid; the page shows a message. */
export class NoSession extends Error {}

/** Maximum characters of a reply that a page shows. */
const longestReply = 8 * 1024 * 1024;

/** Calls the API for a page with the page's session, so that all checks and permissions of the API apply. */
export class PageCalls {
  readonly #dispatch: Dispatch;
  readonly #call: RunningCall;
  readonly #sessionToken: string;

  constructor(dispatch: Dispatch, call: RunningCall, sessionToken: string) {
    this.#dispatch = dispatch;
    this.#call = call;
    this.#sessionToken = sessionToken;
  }

  /** Checks that the session is valid. @throws {NoSession} */
  async requireSession(): Promise<void> {
    const { status, text } = await this.#send('Session/CheckSession', {});
    const reply: unknown = status === 200 ? JSON.parse(text) : undefined;
    if (typeof reply !== 'object' || !reply || !('ErrorCode' in reply) || reply.ErrorCode !== errorCodes.success) {
      throw new NoSession();
    }
  }

  /** Calls an endpoint and parses its reply; undefined if the caller has no permission. */
  async read<P extends EndpointPath, T>(path: P, body: object, schema: z.ZodType<T>): Promise<T | undefined> {
    const { status, text } = await this.#send(path, body);
    return status === 200 ? schema.safeParse(JSON.parse(text)).data : undefined;
  }

  async #send(path: EndpointPath, body: object): Promise<{ status: number; text: string }> {
    const needsToken = endpoints[path].needsToken;
    const sent = needsToken ? { ...body, sessionToken: this.#sessionToken } : body;
    const reply = await this.#dispatch(path, Buffer.from(JSON.stringify(sent)), this.#call);
    return { status: reply.status, text: await wholeText(reply) };
  }
}

async function wholeText({ body }: Reply): Promise<string> {
  if (body === undefined || typeof body === 'string') return body ?? '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body.chunks) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > longestReply) throw new Error('A reply is too long for a page');
  }
  return text + decoder.decode();
}
