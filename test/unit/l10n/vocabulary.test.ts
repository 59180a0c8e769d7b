import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectMessages } from '../../../.ci/l10n/collectMessages.ts';
import { readTexts } from '../../../.ci/l10n/bundles.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const manifest = readTexts(path.join(root, 'package.nls.json'));
const spoken = [...collectMessages(root).messages.values()].map(({ text }) => text);
const shown = Object.entries(manifest).filter(([key]) => !key.startsWith('schema.'));
const texts = [...spoken, ...shown.map(([, text]) => text)];
const titles = Object.entries(manifest)
  .filter(([key]) => key.startsWith('command.'))
  .map(([, title]) => title);

/** Words that would be a second name for a thing that has one. Names on the wire (`LoginName`) are no words. */
const secondNames: Readonly<Record<string, RegExp>> = {
  'sign in, sign out': /(?<![#/])\b(log(ged|ging)?[ -]?(in|on|out|off)|logon|logout)\b/i,
  'user name': /\b(login name|account name|username)\b/i,
  group: /\b(teams?|security roles?)\b/i,
  'data tag': /\b(data ?tags? value|datatags?|security tags?|label tags?)\b/i,
  policy: /\b(shields?|security rules?|row filters?)\b/i,
  favourite: /\bfavorites?\b/i,
  licence: /\b(licenses|your license)\b/i,
  user: /\bcontacts?\b/i,
  application: /\bmodules?\b/i,
  'registered server': /\b(data ?sources? of the report|regserver|database server entry)\b/i,
  prompt: /\b(report parameters?|input parameters?|prompt fields?)\b/i,
  'Local Server, local server': /\b(embedded server|built-in server|demo server|test server)\b/i,
  'report type': /\b(data ?sets?|data models?)\b/i,
  settings: /\b(preferences pane|configuration page)\b/i,
};
/** First words of commands; New stands before its object as everywhere in the editor. */
const verbs = new Set(
  (
    'Activate Add Assign Back Change Check Choose Clear Clone Compare Copy Deactivate Delete Discard Edit Extend Filter Find Forget Go Grant Hide ' +
    'Import Move New Open Pin Refresh Reload Remove Rename Restore Restrict Retry Review Revoke Run Save Set Show Sign Start Stop Test Trust ' +
    'Unassign Unlock Unpin'
  ).split(' '),
);

describe('the words that people read', () => {
  it.each(Object.entries(secondNames))('have one name for %s', (_name, others) => {
    expect(texts.filter((text) => others.test(text))).toEqual([]);
  });

  it('are calm, whole and native: no exclamation, no apology, no three dots', () => {
    const loud = /(?<!, )![^\w]*$|\b(please|sorry|oops|whoops|unfortunately|successfully)\b|\.\.\./i;
    expect(texts.filter((text) => loud.test(text))).toEqual([]);
  });

  it('say in every failure what could not be done, and to what', () => {
    const failures = spoken.filter((text) => text.startsWith('Could not '));
    expect(failures.length).toBeGreaterThan(50);
    expect(failures.filter((text) => !text.includes('{0}'))).toEqual([]);
  });

  it('begin every command with a verb', () => {
    expect(titles.length).toBeGreaterThan(60);
    expect(titles.filter((title) => !verbs.has(title.replace(/…$/, '').split(' ')[0] ?? ''))).toEqual([]);
    expect(titles.filter((title) => title !== title.trim() || /[.:]$/.test(title))).toEqual([]);
  });

  it('write every command in capitals as the editor does', () => {
    const small = new Set(['a', 'or', 'of', 'to', 'from', 'with', 'as', 'in', 'on', 'by', 'That', 'This']);
    const words = titles.flatMap((title) => title.replace(/…$/, '').split(' '));
    expect([...new Set(words)].filter((word) => /^[a-z]/.test(word) && !small.has(word))).toEqual([]);
  });

  it('describe every setting by what it does, in whole sentences', () => {
    const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      contributes: {
        configuration: { properties: Record<string, { markdownDescription?: string; description?: string }> };
      };
    };
    for (const [name, setting] of Object.entries(contributes.configuration.properties)) {
      const key = (setting.markdownDescription ?? setting.description ?? '').slice(1, -1);
      expect(manifest[key], name).toMatch(/^[A-Z].{20,}[.…*]$/s);
    }
  });
});
