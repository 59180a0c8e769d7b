import type { z } from 'zod';
import { endpoints, type EndpointPath } from '../../../contract/endpoints.ts';
import { errorCodes } from '../../../contract/errorCodes.ts';
import type { Dispatch } from '../dispatcher.ts';
import type { Reply } from '../reply.ts';
import type { RunningCall } from '../runningCall.ts';

/** The session of a page's address is not in force; the page says so in a sentence. */
export class NoSession extends Error {}

/** A reply longer than this is not shown, in characters. */
const longestReply = 8 * 1024 * 1024;

/** Calls of the API on behalf of a page: with its session and so with all checks and permissions of the API. */
export class PageCalls {
  readonly #dispatch: Dispatch;
  readonly #call: RunningCall;
  readonly #sessionToken: string;

  constructor(dispatch: Dispatch, call: RunningCall, sessionToken: string) {
    this.#dispatch = dispatch;
    this.#call = call;
    this.#sessionToken = sessionToken;
  }

  /** Makes sure that the session is in force. @throws {NoSession} */
  async requireSession(): Promise<void> {
    const { status, text } = await this.#send('Session/CheckSession', {});
    const reply: unknown = status === 200 ? JSON.parse(text) : undefined;
    if (typeof reply !== 'object' || !reply || !('ErrorCode' in reply) || reply.ErrorCode !== errorCodes.success) {
      throw new NoSession();
    }
  }

  /** What an endpoint answers, read by its part of the contract; undefined where the caller has no permission. */
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
