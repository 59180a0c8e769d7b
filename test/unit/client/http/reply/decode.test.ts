import fc from 'fast-check';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { EndpointRow } from '../../../../../src/contract/endpointRow.ts';
import { endpointPaths, endpoints, type EndpointPath } from '../../../../../src/contract/endpoints.ts';
import { isClientError } from '../../../../../src/client/clientError.ts';
import { decodeReply } from '../../../../../src/client/http/reply/decode.ts';
import { emptyReply } from '../../../../../src/client/http/reply/rawReply.ts';
import { figure } from '../../../../support/run/figure.ts';

function decode(path: EndpointPath, text: string, contentType = 'application/json', status = 200): unknown {
  return decodeReply(path, { status, contentType, text }, 'Test Server');
}

const rows = endpointPaths.map((path): [EndpointPath, EndpointRow] => [path, endpoints[path]]);

describe('every endpoint', () => {
  it.each(rows)('%s takes no other reply for success', (path, { form }) => {
    const wrong = ['', '<!doctype html><title>Sign in</title>', '{"ErrorCode":101,"ErrorMessage":"Session Expired"}'];
    if (form.kind === 'json') wrong.push('"text"', '7', '{"ErrorCode":9001,', '[{"a":1}', 'null');
    if (form.kind === 'json' && form.shape === 'object') wrong.push('[]');
    if (form.kind === 'json' && form.shape === 'array') wrong.push('{}');
    if (form.kind === 'number') wrong.push('oops', 'null', '{}', '[]', ...(form.success === 'any' ? [] : ['9000']));
    if (form.kind === 'text' && form.success) wrong.push('Policy not found', 'success', '{"a":1}');
    for (const text of wrong)
      expect(() => decode(path, text), `${path}: ${text}`).toThrow(/Test Server|answer|return|Unexpected/);
  });

  it.each(rows)('%s fails with every status but 200 and 204', (path) => {
    for (const status of [301, 302, 307, 400, 401, 403, 404, 500, 502, 503]) {
      expect(() => decode(path, '{}', 'application/json', status)).toThrow(String(status));
    }
    expect(decode(path, '', '', 204)).toBe(emptyReply);
  });
});

/** Fields in which servers tell of a failure, by envelope variant. */
const failureFields: Partial<Record<string, [code: string, message: string]>> = {
  standard: ['ErrorCode', 'ErrorMessage'],
  upper: ['ERROR_CODE', 'ERROR_MESSAGE'],
  lower: ['error_code', 'error_message'],
  return: ['returncode', 'message'],
  code: ['Code', 'Message'],
};

/** What a reply that is no success may be said to be. */
const failureKinds: readonly string[] = ['refused', 'notSignedIn', 'malformed', 'notTheApi', 'tooLarge'];

/** What kind of failure a reply is read as; `success` where it is none. */
function readAs(path: EndpointPath, text: string, contentType?: string): string {
  try {
    decode(path, text, contentType);
    return 'success';
  } catch (error) {
    return isClientError(error) ? error.kind : String(error);
  }
}

it('reads no failure as success, at whatever endpoint and in whatever form', () => {
  const count = { failures: 0, mutated: 0, texts: 0 };
  const fails = (path: EndpointPath, text: string, contentType?: string) =>
    expect(failureKinds, `${path}: ${text}`).toContain(readAs(path, text, contentType));
  for (const [index, [path, { form }]] of rows.entries()) {
    for (const text of failures(form)) {
      count.failures += 1;
      fails(path, text);
    }
    for (const text of mutated(form, index)) {
      count.mutated += 1;
      fails(path, text);
    }
    for (const text of form.kind === 'text' && !form.success ? [] : plainTexts) {
      count.texts += 1;
      fails(path, text, 'text/plain');
    }
  }
  expect(rows).toHaveLength(81);
  const { failures: written, mutated: changed, texts } = count;
  figure(
    'R19',
    `${written} failures, ${changed} more damaged on the way, and ${texts} plain texts at ${rows.length} endpoints: 0 read as success`,
  );
});

const plainTexts = [
  'OK',
  'true',
  'False',
  'undefined',
  'Session Expired',
  'Internal Server Error',
  '"Failed"',
  '{}x',
  '',
];

/** Failures damaged on the way: a byte replaced or lost, cut short, quoted, or within something else. */
function mutated(form: EndpointRow['form'], seed: number): string[] {
  const [code, message] = failureFields[form.kind === 'json' ? form.envelope : 'standard'] ?? [
    'ErrorCode',
    'ErrorMessage',
  ];
  const texts = [
    { ErrorCode: 101, ErrorMessage: 'Session Expired' },
    { [code]: 9001, [message]: 'The directory is down.' },
  ];
  const changes = fc.sample(
    fc.record({
      text: fc.constantFrom(...texts.map((value) => JSON.stringify(value))),
      kind: fc.constantFrom('replaced', 'lost', 'cut', 'quoted', 'within', 'beside'),
      at: fc.nat(200),
      byte: fc.constantFrom(...'aZ "{}[],:\\\u0000é'),
    }),
    { seed, numRuns: 60 },
  );
  // Past what a reply of plain text is told by, and outside the code: another code is another reply.
  const first = form.kind === 'text' ? 3 : 0;
  return changes.map(({ text, kind, at, byte }) => {
    const place = first + (at % (text.length - first));
    const isCode = /[\d-]/.test(text[place] ?? '');
    if (kind === 'replaced') return text.slice(0, place) + (isCode ? '9' : byte) + text.slice(place + 1);
    if (kind === 'lost') return text.slice(0, place) + text.slice(place + 1);
    if (kind === 'cut') return text.slice(0, Math.max(first, place));
    if (kind === 'quoted') return form.kind === 'text' ? text : JSON.stringify(text);
    if (kind === 'within') return form.kind === 'text' ? text : JSON.stringify([[JSON.parse(text)]]);
    return JSON.stringify({ ...(JSON.parse(text) as object), Unlisted: byte });
  });
}

/** Failures that an endpoint of this form may answer with: codes as numbers and text, cut short, of another shape. */
function failures(form: EndpointRow['form']): string[] {
  const codes = [101, 108, 200, 586, 9000, 9001, 9002, -1];
  const values: unknown[] = [{ ErrorCode: 101 }, { ErrorCode: '101' }, { ErrorCode: 101, Data: [{ a: 1 }] }];
  if (form.kind === 'json') {
    const [code, message] = failureFields[form.envelope] ?? ['ErrorCode', 'ErrorMessage'];
    for (const value of [...codes, ...codes.map(String), 'failed']) {
      // An object without an envelope has no such fields.

      values.push({ [code]: value, [message]: 'no' }, { ID: '1', [code]: value, [message]: null });
    }
    if (form.envelope === 'run') values.push({ HasError: true }, { HasError: true, ErrorCode: 0, Data: [] });
    if (form.envelope === 'metadata' || form.envelope === 'prompts') {
      values.push({ Report: { ErrorCode: 586 }, ErrorCode: 0 });
    }
    if (form.envelope === 'prompts') values.push({ Report: {}, Prompts: [{}, { HasError: true, ErrorCode: 0 }] });
  }
  if (form.kind === 'number' && form.success !== 'any') {
    values.push(...[...codes, 0, 1, 17].filter((number) => number !== form.success).flatMap((n) => [n, String(n)]));
  }
  const texts = values.map((value) => JSON.stringify(value));
  // A code that a second one contradicts, whichever comes last.
  const twice = ['{"ErrorCode":9000,"ErrorCode":0}', '{"ErrorCode":0,"ErrorCode":9000}'];
  // Cut short, it must not pass either.
  return [...texts, ...texts.map((text) => text.slice(0, -1)).filter(isCutObject), ...twice];
}

/** Whether a text that lost its last character still shows that it was an object or a list: a shorter number is a number. */
function isCutObject(text: string): boolean {
  return /^[[{]/.test(text);
}

describe('reversed senses and quoted texts', () => {
  it.each([
    ['library/DelReport', '0', 0],
    ['AppBuilder/SaveAnyDbModule', '1', 1],
    ['login/DoLogout', '0', 0],
    ['library/FavReport', '17', 17],
    ['library/UnFavDash', '"0"', 0],
    ['Group/AddUser', '"User Added Successfully."', 'User Added Successfully.'],
    ['Shield/AddGroup', 'Success', 'Success'],
    ['RegServers/TestConnection', 'Passed\r\n', 'Passed'],
  ] as const)('%s reads %s', (path, text, value) => {
    expect(decode(path, text, 'text/plain')).toBe(value);
  });

  it.each([
    ['library/DelReport', '1'],
    ['library/DelReport', '9000'],
    ['AppBuilder/SaveAnyDbModule', '0'],
    ['Shield/AddGroup', 'Policy not found'],
    ['RegServers/TestConnection', 'password authentication failed'],
  ] as const)('%s reads %s as a refusal', (path, text) => {
    expect(() => decode(path, text, 'text/plain')).toThrow(/refused/);
  });

  it('shows the reason of a list that is refused', () => {
    const refusal = '{"ErrorCode":9001,"ErrorMessage":"The database cannot be reached."}';
    expect(() => decode('Report/GetSQLFunctions', refusal)).toThrow('The database cannot be reached.');
  });

  it('takes HasError for a failure although ErrorCode is 0', () => {
    const reply = JSON.stringify({ HasError: true, ErrorCode: 0, ErrorMessage: 'no such column', Data: [] });
    expect(() => decode('Report/GetReportData', reply)).toThrow('no such column');
  });

  it.each([
    ['login/DoLogin', '{"LoginSession":{"SessionToken":"s3cret"'],
    ['login/DoLogin', '{"SessionToken":s3cret}'],
    ['Session/CheckSession', '{"ErrorCode":0,"SessionToken":"s3cret'],
    ['Session/RefreshSession', '[{"SessionToken":"s3cret"}]'],
    ['Session/CheckSession', '"s3cret"'],
  ] as const)('shows nothing of a broken reply of %s, which may hold a token: %s', (path, text) => {
    let error: unknown;
    try {
      decode(path, text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ kind: 'malformed' });
    expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
  });

  it('takes a list of nothing but failures for one', () => {
    const failed = { ErrorCode: '9001', ErrorMessage: 'The directory is down.' };
    expect(() => decode('Contact/GetContactList', JSON.stringify([failed]))).toThrow('The directory is down.');
    expect(() => decode('Contact/GetRolesList', JSON.stringify([{ ERROR_CODE: 9001 }, failed]))).toThrow('9001');
    expect(() => decode('App/GetApplicationList', JSON.stringify([failed]))).toThrow('The directory is down.');
    expect(decode('Contact/GetContactList', JSON.stringify([failed, { ErrorCode: 0, ID: '1' }]))).toHaveLength(2);
  });

  it.each(['null', '9000', 'true', '{"a":1}', '[{"a":1}]'])('does not take %s for SQL', (text) => {
    expect(() => decode('Report/GetSQL', text)).toThrow(/should return text/);
  });

  it('takes an empty list in place of a text for a reply that proves nothing', () => {
    expect(decode('Report/GetSQL', '[]')).toBe(emptyReply);
    expect(decode('Group/AddUser', ' [ ] ')).toBe(emptyReply);
  });
});
