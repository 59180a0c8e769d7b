import { afterEach, describe, expect, it } from 'vitest';
import * as l10n from '../../../src/l10n/l10n.ts';

afterEach(() => l10n.config({ language: 'en' }));

describe('a text', () => {
  it('is English without translations, with values in their places, whatever their order', () => {
    expect(l10n.t('{1} of {0}, {2}', 10, '$&')).toBe('$& of 10, {2}');
    expect(l10n.t('{0} and {1}', '{1}', false)).toBe('{1} and false');
    expect(l10n.t('{0} of {1}: {2}', 0, '', false)).toBe('0 of : false');
    expect(l10n.t('{0} and {7}', 'A')).toBe('A and {7}');
  });

  it('is translated by its English text, and English where there is no translation', () => {
    l10n.config({ language: 'de', contents: { '{0} of {1} rows': '{1} Zeilen, davon {0}', Run: 'Ausführen' } });
    expect([l10n.t('{0} of {1} rows', 1, 2), l10n.listed('Run'), l10n.t('Stop')]).toEqual([
      '2 Zeilen, davon 1',
      'Ausführen',
      'Stop',
    ]);
    expect(l10n.language()).toBe('de');
  });

  it('is no name that every object has', () => {
    l10n.config({ language: 'de', contents: {} });
    expect(['constructor', '__proto__', 'toString', 'hasOwnProperty'].map((name) => l10n.listed(name))).toEqual([
      'constructor',
      '__proto__',
      'toString',
      'hasOwnProperty',
    ]);
  });
});
