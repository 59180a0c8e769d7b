import { describe, expect, it } from 'vitest';
import { readEnvelope } from '../../../src/contract/envelope.ts';

describe('readEnvelope', () => {
  it.each([
    ['standard', { ErrorCode: 9000, ErrorMessage: 'bad' }, 9000],
    ['standard', { ErrorCode: '200', ErrorMessage: null }, 200],
    ['upper', { ERROR_CODE: 9001, ERROR_MESSAGE: 'bad' }, 9001],
    ['lower', { error_code: 9000, error_message: 'bad' }, 9000],
    ['return', { returncode: 9000, message: 'bad' }, 9000],
    ['code', { Code: 9000, Message: 'bad' }, 9000],
    ['run', { HasError: true, ErrorCode: 0, ErrorMessage: 'no rows for you' }, 9001],
    ['metadata', { Report: { ErrorCode: 586, ErrorMessage: 'Report does not exist.' }, Prompts: null }, 586],
    ['lower', { ErrorCode: 101, ErrorMessage: 'Session Expired' }, 101],
    ['return', { ErrorCode: 101, ErrorMessage: 'Session Expired' }, 101],
    ['run', { ErrorCode: 101, ErrorMessage: 'Session Expired' }, 101],
    ['metadata', { ErrorCode: 101, ErrorMessage: 'Session Expired', Report: null }, 101],
    ['standard', { ErrorCode: 'oops' }, 9000],
    ['prompts', { Report: { ErrorCode: 586 }, Prompts: null }, 586],
    ['prompts', { Report: {}, Prompts: [{ HasError: false }, { HasError: true, ErrorCode: 0 }] }, 9001],
    ['prompts', { Report: {}, Prompts: [{ ErrorCode: '9000' }] }, 9000],
  ] as const)('%s reads a failure of %o', (variant, value, code) => {
    expect(readEnvelope(value, variant)).toMatchObject({ ok: false, code });
  });

  it.each([
    ['standard', { ErrorCode: 0 }],
    ['standard', { ErrorCode: '0', ErrorMessage: null }],
    ['standard', {}],
    ['upper', { ERROR_CODE: 0 }],
    ['run', { HasError: false, ErrorCode: 0 }],
    ['metadata', { Report: { ErrorCode: 0 } }],
    ['none', { ErrorCode: 9000 }],
    ['prompts', { Report: { ErrorCode: 0 }, Prompts: [{ HasError: false, ErrorCode: 3 }, {}] }],
    ['prompts', { Report: {}, Prompts: null }],
  ] as const)('%s reads success of %o', (variant, value) => {
    expect(readEnvelope(value, variant)).toEqual({ ok: true });
  });

  it('names the prompt that failed', () => {
    const prompts = [{ HasError: false }, { HasError: true, ErrorMessage: 'no number' }, { HasError: true }];
    const failed = { ok: false, code: 9001, message: 'no number', prompt: 1 };
    expect(readEnvelope({ Report: {}, Prompts: prompts }, 'prompts')).toEqual(failed);
  });

  it('always gives words to a failure', () => {
    expect(readEnvelope({ ErrorCode: 9000, ErrorMessage: ' ' }, 'standard')).toEqual({
      ok: false,
      code: 9000,
      message: 'error code 9000',
    });
  });
});
