import { afterEach, describe, expect, it } from 'vitest';
import { columnWidth } from '../../../../src/features/reports/view/gridColumns.ts';
import { noticeHtml, pageHtml } from '../../../../src/editor/pages/pageHtml.ts';
import * as l10n from '../../../../src/l10n/l10n.ts';

const addresses = {
  source: 'https://*.cdn.test',
  script: 'https://a.cdn.test/results.js',
  style: 'https://a.cdn.test/results.css',
};

afterEach(() => l10n.config({ language: 'en' }));

describe('the document of a page', () => {
  it('allows its own script, style and font, and nothing else', () => {
    const html = pageHtml(addresses, 'Delays');
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#39;', "'") ?? '';
    const nonce = /<script nonce="([\w-]{20,})"/.exec(html)?.[1];
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      'style-src https://*.cdn.test',
      'font-src https://*.cdn.test',
    ]);
  });

  it('has the texts in the display language as data that no text can end, and nothing that runs', () => {
    const german = { language: 'de', contents: { Run: '</script><script>alert(1)</script><!--' } };
    l10n.config(german);
    const html = pageHtml(addresses, 'Delays');
    expect(html).toContain('<html lang="de">');
    expect(html.match(/<script/g)).toHaveLength(2);
    const data = /<script id="texts" type="application\/json">([^<]*)<\/script>/.exec(html)?.[1] ?? '';
    expect(JSON.parse(data)).toEqual(german);
  });

  it('has another nonce every time', () => {
    const nonces = Array.from({ length: 20 }, () => /nonce="([^"]+)"/.exec(pageHtml(addresses, ''))?.[1]);
    expect(new Set(nonces).size).toBe(20);
  });

  it('writes names of the server as text', () => {
    const html = pageHtml(addresses, '</title><script>alert(1)</script>"\'&');
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toContain('&#60;/title&#62;&#60;script&#62;');
  });
});

it('a document that only says something loads nothing, and shows names as text', () => {
  const html = noticeHtml('<b>Delays</b>', 'Gone & lost');
  expect(html).toContain(`content="default-src 'none'"`);
  expect(html).toContain('<h1>&#60;b&#62;Delays&#60;/b&#62;</h1>');
  expect(html).toContain('<p>Gone &#38; lost</p>');
  expect(html).not.toMatch(/<script|<link|<style/);
});

describe('width of a column', () => {
  it('suits the longest of title and texts, within limits', () => {
    expect(columnWidth('A', ['b', null])).toBe(64);
    expect(columnWidth('A', ['2001-01-01 08:30:00'])).toBeGreaterThan(140);
    expect(columnWidth('A rather long title', ['x'])).toBeGreaterThan(160);
    expect(columnWidth('A', ['x'.repeat(5_000)])).toBe(360);
  });
});
