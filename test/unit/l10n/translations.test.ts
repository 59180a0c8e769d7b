import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleFolder, bundleProblems, languages, readTexts } from '../../../.ci/l10n/bundles.ts';
import { collectFile, collectMessages, type Collected } from '../../../.ci/l10n/collectMessages.ts';
import { documentsWithTables, manifestTables, withTable } from '../../../.ci/l10n/manifestTables.ts';
import { translationProblems } from '../../../.ci/l10n/translationProblems.ts';

const root = path.resolve(import.meta.dirname, '../../..');

function collected(source: string): Collected {
  const found: Collected = { messages: new Map(), problems: [] };
  collectFile('src/some/file.tsx', source, found);
  return found;
}

describe('the translations', () => {
  const messages = collectMessages(root);

  it('have every text that the code and the manifest say, whole, and no other (npm run l10n lists what to do)', () => {
    expect(languages(root)).toContain('de');
    expect(messages.messages.size).toBeGreaterThan(1000);
    expect(bundleProblems(root, messages)).toEqual([]);
  });

  it('are translations: few texts are the same in both languages', () => {
    const german = Object.entries(readTexts(path.join(root, bundleFolder, 'bundle.l10n.de.json')));
    const same = german.filter(([key, text]) => key === text && /[a-z]{4}/i.test(text.replace(/\{\d\}/g, '')));
    expect(same.length / german.length).toBeLessThan(0.04);
  });

  it('speak to people as Sie, in German quotation marks, and know the glossary', () => {
    const german = readTexts(path.join(root, bundleFolder, 'bundle.l10n.de.json'));
    const wrong = Object.values(german).filter((text) =>
      /\b(du|dein|deine|Passwort|Nutzer|Report|Policy|Policies|Gruppenrichtlinie)\b|“[^„“]*“|\.\.\./.test(text),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the tables in the documentation', () => {
  it('are what the manifest and the commands say (npm run l10n writes them)', () => {
    for (const { file, text } of documentsWithTables(root)) {
      expect(readFileSync(path.join(root, file), 'utf8'), file).toBe(text);
    }
  });

  it('describe every command and setting', () => {
    for (const table of Object.values(manifestTables(root))) {
      const rows = table.split('\n').filter((line) => line.startsWith('| '));
      expect(rows.length).toBeGreaterThan(5);
      expect(rows.filter((row) => /\|\s*\||%/.test(row))).toEqual([]);
    }
  });

  it('say of each command what it does, and not what another one does', () => {
    const rows = manifestTables(root)
      .commands.split('\n')
      .filter((line) => line.startsWith('| '));
    const said = rows.map((row) => row.split(' | ')[1]);
    expect(said.filter((text, index) => said.indexOf(text) !== index)).toEqual([]);
  });

  it('stand between their marks, whatever is around', () => {
    expect(withTable('a\n<!-- x: begin, why -->\nold\n<!-- x: end -->\nb', 'x', '| n |\n')).toBe(
      'a\n<!-- x: begin, why -->\n\n| n |\n\n<!-- x: end -->\nb',
    );
    expect(() => withTable('nothing', 'x', '')).toThrow('x');
  });
});

describe('collecting texts', () => {
  it('takes calls of either seam, with comments, choices and tables', () => {
    const { messages, problems } = collected(`
      vscode.l10n.t('One {0}', name);
      l10n.t(isOne ? 'Two' : ('Three'));
      vscode.l10n.t({ message: 'Four', args: [x], comment: ['why'] });
      /** A table. @l10n label */
      const rows = [{ label: 'Five', id: 'six' }];
      /** Another. @l10n */
      const words = { a: 'Seven', b: about('Eight'), choices: [{ value: 'nine', meaning: 'Ten' }] };
      const other = { label: 'Eleven' };
    `);
    expect(problems).toEqual([]);
    expect([...messages.keys()]).toEqual(['One {0}', 'Two', 'Three', 'Four/why', 'Five', 'Seven', 'Eight', 'Ten']);
  });

  it('reports what users would read in English only', () => {
    const { problems } = collected(`
      throw new ClientError('refused', \`\${server} refused it.\`, { server });
      void vscode.window.showErrorMessage('It failed.');
      throw new ClientError('refused', \`\${server}: \${reason}\`, { server });
      vscode.window.setStatusBarMessage(\`$(check) \${words}\`);
      throw new ClientError('refused', l10n.t('It failed.'), { server });
    `);
    expect(problems).toHaveLength(2);
  });

  it('reports what it cannot take', () => {
    for (const call of [
      'l10n.t(text)',
      'l10n.t(`One ${x}`)',
      "vscode.l10n.t('One ' + x)",
      "l10n.t(is ? 'One' : other)",
    ]) {
      expect(collected(call).problems).toHaveLength(1);
    }
  });
});

describe('checking a translation', () => {
  const english = { a: 'Could not read {0} on {1}', b: 'Start [here](command:analytics.x)\nnow', c: '$(check) Done' };

  it('finds nothing wrong with a good one', () => {
    const german = {
      a: '{0} auf {1} unlesbar',
      b: 'Beginnen Sie [hier](command:analytics.x)\njetzt',
      c: '$(check) Fertig',
    };
    expect(translationProblems(english, german)).toEqual([]);
  });

  it('finds what is missing, orphaned, empty, lost and added', () => {
    expect(translationProblems(english, { a: '{0} auf {2}', b: '', d: 'x' })).toEqual([
      'missing: c',
      'orphaned: d',
      'lost "{1}": a',
      'added "{2}": a',
      'empty: b',
    ]);
    expect(translationProblems(english, { ...english, b: 'Beginnen Sie jetzt ', c: 'Fertig' })).toEqual([
      'lost "(command:analytics.x)": b',
      'lost "\\n": b',
      'space around it: b',
      'lost "$(check)": c',
    ]);
  });
});
