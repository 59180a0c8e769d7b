import type { EnvelopeVariant } from './endpointRow.ts';
import { errorCodes } from './errorCodes.ts';

/**
 * The outcome of a call according to an envelope. `code` is the server's own error code, `prompt` the index of the
 * prompt that failed.
 */
export type Outcome = { ok: true } | { ok: false; code: number; message: string; prompt?: number };

const fields: Record<
  Exclude<EnvelopeVariant, 'run' | 'metadata' | 'prompts' | 'none'>,
  readonly [code: string, message: string]
> = {
  standard: ['ErrorCode', 'ErrorMessage'],
  upper: ['ERROR_CODE', 'ERROR_MESSAGE'],
  lower: ['error_code', 'error_message'],
  return: ['returncode', 'message'],
  code: ['Code', 'Message'],
};

const success: Outcome = { ok: true };
const variants = ['standard', 'upper', 'lower', 'return', 'code'] as const;

/** Names of all fields that describe the outcome of a call; they are not content. */
export const envelopeFields: ReadonlySet<string> = new Set([...Object.values(fields).flat(), 'HasError']);

/** The field for the code in an endpoint of this variant; undefined when the description lists none. */
export function codeFieldOf(variant: EnvelopeVariant): string | undefined {
  return variant === 'run' || variant === 'metadata' || variant === 'prompts' || variant === 'none'
    ? undefined
    : fields[variant][0];
}

/**
 * Reads the error fields of a reply that is one object: those of the endpoint's own variant, and every other spelling
 * too, since a proxy in front of the server or another release of it may use them. API description, Errors.
 */
export function readWholeReply(value: unknown, variant: EnvelopeVariant): Outcome {
  const own = readEnvelope(value, variant);
  // HasError decides the outcome of a run, whatever its ErrorCode.
  if (!own.ok || variant === 'run' || !isRecord(value)) return own;
  const parts = variant === 'metadata' || variant === 'prompts' ? [value.Report, value] : [value];
  return parts.map(readEverySpelling).find(({ ok }) => !ok) ?? success;
}

function readEverySpelling(value: unknown): Outcome {
  if (!isRecord(value)) return success;
  if (value.HasError === true) return readEnvelope(value, 'run');
  // `Code` alone has too many meanings.
  const spelled = variants.filter((variant) => variant !== 'code' || 'Message' in value);
  return spelled.map((variant) => readEnvelope(value, variant)).find(({ ok }) => !ok) ?? success;
}

/**
 * Reads the error fields of `value` in the variant of its endpoint. A missing or null code counts as success; text is
 * parsed as a number; any other text is a failure. API description, Envelope variants.
 */
export function readEnvelope(value: unknown, variant: EnvelopeVariant): Outcome {
  if (variant === 'none' || !isRecord(value)) return success;
  if (variant === 'metadata') {
    const inner = readEnvelope(value.Report, 'standard');
    return inner.ok ? readEnvelope(value, 'standard') : inner;
  }
  if (variant === 'prompts') {
    const whole = readEnvelope(value, 'metadata');
    return whole.ok ? readPrompts(value.Prompts) : whole;
  }
  if (variant === 'run') {
    if (value.HasError === true) {
      return failure(numeric(value.ErrorCode) || errorCodes.notCompleted, value.ErrorMessage);
    }
    // The reply to a rejected token is a standard envelope, which has no HasError.
    return value.HasError === undefined || value.HasError === null ? readEnvelope(value, 'standard') : success;
  }
  const [codeField, messageField] = fields[variant];
  const code = numeric(value[codeField]);
  if (code !== errorCodes.success) return failure(code, value[messageField]);
  // The reply to a rejected token always has the standard fields, whatever the endpoint's own variant.
  return variant === 'standard' ? success : readEnvelope(value, 'standard');
}

/** The first failure among prompts: each has its own HasError, which counts even if ErrorCode is 0. */
function readPrompts(prompts: unknown): Outcome {
  if (!Array.isArray(prompts)) return success;
  for (const [place, prompt] of prompts.entries()) {
    const outcome = readEnvelope(prompt, 'run');
    if (!outcome.ok) return { ...outcome, prompt: place };
  }
  return success;
}

function failure(code: number, message: unknown): Outcome {
  const words = typeof message === 'string' ? message.trim() : '';
  return { ok: false, code, message: words || `error code ${code}` };
}

/** Parses a code that may be a number, text or missing; text that is not a number counts as an unexpected error. */
function numeric(code: unknown): number {
  if (code === undefined || code === null || code === '') return errorCodes.success;
  const value = Number(code);
  return Number.isFinite(value) ? value : errorCodes.unexpected;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
