import { afterEach } from 'vitest';
import { openWorkbenches } from './workbench.ts';

/** When a UI test fails: a picture of every open workbench beside the other screenshots, and the end of its console. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const workbench of openWorkbenches) {
    workbench.hasFailed = true;
    const file = await workbench.screenshot(`failed ${task.name}`.replace(/[^\w]+/g, '-'));
    console.log([`Picture: ${file}`, ...workbench.consoleLines.slice(-25)].join('\n'));
  }
});
