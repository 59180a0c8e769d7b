import { describe, expect, it } from 'vitest';
import { parseAllowedOrigin } from '../../../../src/server/http/originGuard.ts';

describe('parseAllowedOrigin', () => {
  it('reads the three kinds', () => {
    expect(parseAllowedOrigin('*')).toEqual({ kind: 'any' });
    expect(parseAllowedOrigin('none')).toEqual({ kind: 'none' });
    expect(parseAllowedOrigin('https://a.example:8443')).toEqual({ kind: 'one', origin: 'https://a.example:8443' });
  });

  it.each(['', 'null', 'a.example', 'https://a.example/', 'https://a.example/path', 'HTTPS://A.example', '**'])(
    'refuses "%s"',
    (value) => {
      expect(() => parseAllowedOrigin(value)).toThrow('--allow-origin must be');
    },
  );
});
