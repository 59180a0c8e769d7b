import path from 'node:path';
import { expect, it } from 'vitest';
import { runToEnd } from '../../support/processes/processes.ts';
import { projectRoot } from '../../support/vscodeHost/paths.ts';

it('npm start prints a plain address that opens with the library of the local server unfolded, in any browser', async () => {
  const lines: string[] = [];
  const script = path.join(projectRoot, 'test', 'support', 'run', 'startHost.ts');
  await runToEnd(process.execPath, [script, '--check', '--port', '0'], {
    env: { ...process.env, ANALYTICS_STUDIO_VSCODE: 'browser' },
    onLine: (line) => lines.push(line),
  });
  expect(lines).toContainEqual(expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/));
  expect(lines.at(-1)).toMatch(/^The page answers, .* the library is unfolded, in a second browser too\.$/);
});
