import { describe, expect, it } from 'vitest';
import { linkAddress } from '../../../../src/contract/pages/resultCells.ts';

describe('links', () => {
  it.each(['https://example.com/a?b=c', ' http://example.com ', 'mailto:a@example.com'])('%s may be opened', (text) => {
    expect(linkAddress(text)).toBeInstanceOf(URL);
  });

  it.each([
    'javascript:alert(1)',
    'command:workbench.action.quit',
    'file:///etc/passwd',
    'vscode://x',
    '//example.com',
    'example',
    '',
    'data:text/html,x',
  ])('%s may not', (text) => expect(linkAddress(text)).toBeUndefined());
});
