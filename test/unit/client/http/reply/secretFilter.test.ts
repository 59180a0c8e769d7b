import { describe, expect, it } from 'vitest';
import { hideSecrets, hiderOf } from '../../../../../src/client/http/reply/secretFilter.ts';

const token = '0123456789abcdefABCDEF0123456789abcdefABCDEF0123456789abcdefABCDEF01';

describe('what hides secrets in the words of a server', () => {
  it('finds them as they are, and as JSON, a URL or a page write them', () => {
    const hide = hiderOf(token, { user: { Pin: 'p&ss "w0rd' } });
    const json = JSON.stringify({ quoted: JSON.stringify({ pin: 'p&ss "w0rd' }) });
    for (const text of [token, json, encodeURIComponent('p&ss "w0rd'), 'p&amp;ss &quot;w0rd', 'p&ss   "w0rd']) {
      expect(hide(`before ${text} after`)).not.toMatch(/w0rd|0123456789/);
    }
  });

  it('finds secrets of any size and number, without a pattern of that size', () => {
    const long = `-----BEGIN KEY-----\n${'p&"/'.repeat(2_000)}`;
    const many = Array.from({ length: 100 }, (_, index) => ({ Pin: `secret "${index}" of many` }));
    const hide = hiderOf('t'.repeat(10_000), { DbPass: long, many });
    const quoted = JSON.stringify({ long, last: many.at(-1)?.Pin, again: JSON.stringify(long) });
    for (const text of [quoted, encodeURIComponent(long), 't'.repeat(10_000), 'secret "0" of many']) {
      expect(hide(text)).not.toMatch(/BEGIN|tttt|of many|p&|p%26/);
    }
    expect(hiderOf(token, { DbPass: long })(`${token}, %30123456789`)).not.toContain(token);
  });

  it('searches long texts that are made to be slow in one go', () => {
    const hide = hiderOf(token, { DbPass: String.raw`a\\ \\ b c` });
    for (const part of ['\\', ' ', '+', '&#0', '\\u0', token.slice(0, -1)]) {
      const text = part.repeat(200_000 / part.length);
      expect(hide(text)).toBe(text);
    }
  }, 20_000);
});

it('takes secrets out of the message and the stack of a failure and of all its causes', () => {
  const innermost = new Error('refused s3cret-of-ada');
  const failure = new Error('failed with s3cret-of-ada', {
    cause: new Error('because of s3cret-of-ada', { cause: innermost }),
  });
  const errors = [failure, failure.cause, innermost].filter((each) => each instanceof Error);
  for (const { stack } of errors) expect(stack).toContain('s3cret-of-ada');
  hideSecrets(failure, hiderOf(token, { Pin: 's3cret-of-ada' }));
  expect(errors.map(({ message }) => message)).toEqual(['failed with …', 'because of …', 'refused …']);
  for (const { stack } of errors) expect(stack).not.toContain('s3cret');
});
