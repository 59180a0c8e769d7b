import * as z from 'zod';
import { text } from './fields.ts';

/**
 * The fields of a reply that tell whether the call succeeded. API description, Envelope variants. `standard`
 * ErrorCode/ErrorMessage · `upper` ERROR_CODE/ERROR_MESSAGE · `lower` error_code/error_message · `return`
 * returncode/message · `code` Code/Message · `run` HasError/ErrorMessage · `metadata` the standard fields inside
 * `Report` · `prompts` those, and HasError of each prompt · `none` no such fields.
 */
export type EnvelopeVariant =
  | 'standard'
  | 'upper'
  | 'lower'
  | 'return'
  | 'code'
  | 'run'
  | 'metadata'
  | 'prompts'
  | 'none';

/** How to read a reply: the form of its body and what in it means success. */
export type ReplyForm =
  /** One JSON object, judged by its envelope. */
  | { kind: 'json'; shape: 'object'; envelope: EnvelopeVariant }
  /** A bare JSON array; each entry has its own envelope. An empty array may mean a rejected token. */
  | { kind: 'json'; shape: 'array'; envelope: EnvelopeVariant }
  /** Plain text. `success` lists the texts that mean success; if omitted, any text is the requested value. */
  | { kind: 'text'; success?: readonly string[] }
  /** A bare number. `success` is the number that means success; `any` if every 2xx reply means success. */
  | { kind: 'number'; success: number | 'any' };

/** One endpoint: the single source for client, server, documents and tests. */
export interface EndpointRow<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  /** Request body; our server checks it strictly. */
  request: Request;
  /** Decoded reply; our client reads it tolerantly. */
  reply: Reply;
  form: ReplyForm;
  /** Whether the body includes `sessionToken`. */
  needsToken: boolean;
  /** Whether the call only reads, so that it can safely be repeated. */
  isSafe: boolean;
  /** Whether the call only reads but must not be retried automatically: repeated attempts may lock an account. */
  isTriedOnce?: boolean | undefined;
  /** Field paths, such as `user.ID`, of the object's id in request and reply, which must match. */
  echo?: Echo | undefined;
  /** Field that proves success, if it is not empty, when a reply omits its error code. */
  proof?: string | undefined;
}

/** Path of the id in the request and in the reply; `ifNamed` if a reply without an id is accepted, too. */
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
  // The client's session adds the token, so typed requests never include it.
  const request = z.looseObject(shape) as unknown as z.ZodObject<Fields>;
  const { isSafe = false, isTriedOnce = false, echo } = options;
  const { proof = echo?.[2] === undefined ? echo?.[1] : undefined } = options;
  return { request, reply, form, needsToken, isSafe, isTriedOnce, echo, proof } satisfies EndpointRow;
}

/** Row of an endpoint that returns one JSON object. */
export function objectReply<F extends z.ZodRawShape, R extends z.ZodType>(fields: F, reply: R, options: Options = {}) {
  return row(fields, reply, { kind: 'json', shape: 'object', envelope: options.envelope ?? 'standard' }, options);
}

/** Row of an endpoint that returns a bare JSON array of `entry`. */
export function listReply<F extends z.ZodRawShape, R extends z.ZodType>(fields: F, entry: R, options: Options = {}) {
  const form = { kind: 'json', shape: 'array', envelope: options.envelope ?? 'standard' } as const;
  return row(fields, z.array(entry), form, options);
}

/** Row of an endpoint that returns plain text. */
export function textReply<F extends z.ZodRawShape>(
  fields: F,
  success?: readonly string[],
  options: Options & { pattern?: RegExp } = {},
) {
  const reply = options.pattern ? z.string().regex(options.pattern) : z.string();
  return row(fields, reply, { kind: 'text', ...(success && { success }) }, options);
}

/** Row of an endpoint that returns a bare number. */
export function numberReply<F extends z.ZodRawShape>(fields: F, success: number | 'any', options: Options = {}) {
  return row(fields, z.number(), { kind: 'number', success }, options);
}

/** An identifier in a request: documented as text. */
export const id = z.string();
/** Optional text in a request. */
export const optionalText = text;
/** Optional boolean in a request. */
export const optionalFlag = z.boolean().nullish();
