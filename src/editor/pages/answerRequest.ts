import type { z } from 'zod';
import {
  readPageMessage,
  type HostMessage,
  type PageContract,
  type ParamsOf,
  type RequestHandlers,
  type RequestName,
} from '../../contract/pages/channel.ts';

/** One schema per request of a page: messages are validated before they are handled. */
export type RequestSchemas<C extends PageContract> = { [N in RequestName<C>]: z.ZodType<ParamsOf<C, N>> };

/**
 * Answers one message of a page. Every request gets a response: its handler's result or an error. Returns undefined for
 * messages that are not requests of this page, since none waits for a response.
 */
export async function answerRequest<C extends PageContract>(
  message: unknown,
  schemas: RequestSchemas<C>,
  handlers: RequestHandlers<C>,
): Promise<HostMessage | undefined> {
  const request = readPageMessage(message);
  if (request === undefined) return undefined;
  const { id } = request;
  try {
    const value = await dispatch(request.name, request.params, schemas, handlers);
    return { kind: 'answer', id, ok: true, value };
  } catch (error) {
    return { kind: 'answer', id, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

async function dispatch<C extends PageContract>(
  name: string,
  params: unknown,
  schemas: RequestSchemas<C>,
  handlers: RequestHandlers<C>,
): Promise<unknown> {
  if (!isRequest(name, handlers)) throw new Error('The page asked for something that does not exist.');
  const schema: z.ZodType<ParamsOf<C, typeof name>> | undefined = schemas[name];
  const handler: RequestHandlers<C>[typeof name] | undefined = handlers[name];
  const checked = schema?.safeParse(params);
  if (checked?.success !== true || handler === undefined) {
    throw new Error(`The page asked for "${name}" in a wrong form.`);
  }
  return handler(checked.data);
}

function isRequest<C extends PageContract>(name: string, handlers: RequestHandlers<C>): name is RequestName<C> {
  return Object.hasOwn(handlers, name);
}
