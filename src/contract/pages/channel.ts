/**
 * Messages between a webview page and the extension host. A page sends requests, and every request gets a reply, which
 * is a value or an error. The host sends events. Each page declares one {@link PageContract}; handler maps are
 * exhaustive by type, so a request without a handler does not compile.
 */

/** The requests and events of one page. */
export interface PageContract {
  /** Requests of the page by name, each with its parameters and its answer. */
  requests: Record<string, { params: unknown; answer: unknown }>;
  /** Events from the host by name, each with its data. */
  events: Record<string, unknown>;
}

export type RequestName<C extends PageContract> = keyof C['requests'] & string;
export type EventName<C extends PageContract> = keyof C['events'] & string;
export type ParamsOf<C extends PageContract, N extends RequestName<C>> = C['requests'][N]['params'];
export type AnswerOf<C extends PageContract, N extends RequestName<C>> = C['requests'][N]['answer'];

/** One handler per request of a page. */
export type RequestHandlers<C extends PageContract> = {
  [N in RequestName<C>]: (params: ParamsOf<C, N>) => AnswerOf<C, N> | Promise<AnswerOf<C, N>>;
};

/** One handler per event of a page. */
export type EventHandlers<C extends PageContract> = { [N in EventName<C>]: (value: C['events'][N]) => void };

/** A request in its wire form. `id` is the page's own sequence number. */
interface PageMessage {
  kind: 'request';
  id: number;
  name: string;
  params: unknown;
}

/** An answer or an event. Messages sent at the same time travel as a list. */
export type HostMessage =
  | { kind: 'answer'; id: number; ok: true; value: unknown }
  | { kind: 'answer'; id: number; ok: false; message: string }
  | { kind: 'event'; name: string; value: unknown };

/** Parses a message from a page; undefined when it is invalid. Its params are not checked here. */
export function readPageMessage(value: unknown): PageMessage | undefined {
  if (!isRecord(value) || value.kind !== 'request') return undefined;
  if (typeof value.id !== 'number' || typeof value.name !== 'string') return undefined;
  return { kind: 'request', id: value.id, name: value.name, params: value.params };
}

/** Parses messages from the host that were sent together. Invalid ones are ignored. */
export function readHostMessages(value: unknown): HostMessage[] {
  return Array.isArray(value) ? value.flatMap((each: unknown) => readHostMessage(each) ?? []) : [];
}

function readHostMessage(value: unknown): HostMessage | undefined {
  if (!isRecord(value)) return undefined;
  if (value.kind === 'event') {
    return typeof value.name === 'string' ? { kind: 'event', name: value.name, value: value.value } : undefined;
  }
  if (value.kind !== 'answer' || typeof value.id !== 'number') return undefined;
  if (value.ok === true) return { kind: 'answer', id: value.id, ok: true, value: value.value };
  const message = typeof value.message === 'string' ? value.message : '';
  return { kind: 'answer', id: value.id, ok: false, message };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
