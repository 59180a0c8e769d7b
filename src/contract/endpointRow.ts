import * as z from 'zod';
import { text } from './fields.ts';

/**
 * Which fields of a reply say whether the call succeeded. API description, Envelope variants.
 * `standard` ErrorCode/ErrorMessage · `upper` ERROR_CODE/ERROR_MESSAGE · `lower` error_code/error_message ·
 * `return` returncode/message · `code` Code/Message · `run` HasError/ErrorMessage ·
 * `metadata` the standard fields inside `Report` · `prompts` those, and HasError of each prompt · `none` no such fields.
 */
export type EnvelopeVariant =
  'standard' | 'upper' | 'lower' | 'return' | 'code' | 'run' | 'metadata' | 'prompts' | 'none';

/** How a reply is read: its body's form and what in it means success. */
export type ReplyForm =
  /** One JSON object, judged by its envelope. */
  | { kind: 'json'; shape: 'object'; envelope: EnvelopeVariant }
  /** A bare JSON array; entries carry their own envelope. An empty one may mean a rejected token. */
  | { kind: 'json'; shape: 'array'; envelope: EnvelopeVariant }
  /** Plain text. `success` lists the texts that mean success; without it any text is the value asked for. */
  | { kind: 'text'; success?: readonly string[] }
  /** A bare number. `success` is the number that means success; `any` where every 2xx reply is an acceptance. */
  | { kind: 'number'; success: number | 'any' };

/** One endpoint: everything that client, server, documents and tests derive their part from. */
export interface EndpointRow<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  /** Request body, checked strictly by our server. */
  request: Request;
  /** Decoded reply, read tolerantly by our client. */
  reply: Reply;
  form: ReplyForm;
  /** Whether the body carries `sessionToken`. */
  needsToken: boolean;
  /** Whether the call only reads, so that sending it twice does no harm. */
  isSafe: boolean;
  /** Whether the call reads but is never tried again by itself: it spends an attempt of an account, which may lock. */
  isTriedOnce?: boolean | undefined;
  /** Where the reply names the object that the request named: both are paths of fields, as `user.ID`. */
  echo?: Echo | undefined;
  /** Field that, filled, proves success where a reply leaves its error code out. */
  proof?: string | undefined;
}

/** Path of the id in the request and in the reply; `ifNamed` where a reply without one is believed too. */
export type Echo = readonly [asked: string, answered: string, when?: 'ifNamed'];

const token = { sessionToken: z.string() };

interface Options {
  envelope?: EnvelopeVariant;
  isSafe?: boolean;
  isTriedOnce?: boolean;
  needsToken?: boolean;
  echo?: Echo;
  proof?: string;
}

function row<Fields extends z.ZodRawShape, Reply extends z.ZodType>(
  fields: Fields,
  reply: Reply,
  form: ReplyForm,
  options: Options,
) {
  const needsToken = options.needsToken ?? true;
  const shape = needsToken ? { ...token, ...fields } : fields;
  // The token is added by the client's session, so typed requests never mention it.
  const request = z.looseObject(shape) as unknown as z.ZodObject<Fields>;
  const { isSafe = false, isTriedOnce = false, echo } = options;
  const { proof = echo?.[2] === undefined ? echo?.[1] : undefined } = options;
  return { request, reply, form, needsToken, isSafe, isTriedOnce, echo, proof } satisfies EndpointRow;
}

/** Row of an endpoint that answers one JSON object. */
export function objectReply<F extends z.ZodRawShape, R extends z.ZodType>(fields: F, reply: R, options: Options = {}) {
  return row(fields, reply, { kind: 'json', shape: 'object', envelope: options.envelope ?? 'standard' }, options);
}

/** Row of an endpoint that answers a bare JSON array of `entry`. */
export function listReply<F extends z.ZodRawShape, R extends z.ZodType>(fields: F, entry: R, options: Options = {}) {
  const form = { kind: 'json', shape: 'array', envelope: options.envelope ?? 'standard' } as const;
  return row(fields, z.array(entry), form, options);
}

/** Row of an endpoint that answers plain text. */
export function textReply<F extends z.ZodRawShape>(
  fields: F,
  success?: readonly string[],
  options: Options & { pattern?: RegExp } = {},
) {
  const reply = options.pattern ? z.string().regex(options.pattern) : z.string();
  return row(fields, reply, { kind: 'text', ...(success && { success }) }, options);
}

/** Row of an endpoint that answers a bare number. */
export function numberReply<F extends z.ZodRawShape>(fields: F, success: number | 'any', options: Options = {}) {
  return row(fields, z.number(), { kind: 'number', success }, options);
}

/** An identifier sent in a request: documented as text. */
export const id = z.string();
/** Optional text of a request. */
export const optionalText = text;
/** Optional boolean of a request. */
export const optionalFlag = z.boolean().nullish();
