import { once } from 'node:events';
import { AnalyticsClient } from '../../../src/client/client.ts';
import { SecretVault } from '../../../src/connections/secrets/secretVault.ts';
import { FileSecrets } from '../fileSecrets.ts';

/*
 * One window of the editor, as a process of its own: `node sessionProcess.ts FOLDER API_BASE`. Each message from its
 * parent is a number of calls to make at once; it answers with how many worked.
 */

const [folder = '', apiBase = ''] = process.argv.slice(2);
const client = new AnalyticsClient({
  target: { connectionId: 'c', name: 'Test Server', apiBase },
  vault: new SecretVault({
    server: 'Test Server',
    secrets: new FileSecrets(folder),
    key: 'session',
    lockFile: `${folder}/session.lock`,
    realm: apiBase,
  }),
  credentials: async () => ({ userName: 'ada', password: 'p', isGuest: false }),
});

process.send?.('ready');
for (;;) {
  const [calls] = (await once(process, 'message')) as [number];
  const done = await Promise.allSettled(Array.from({ length: calls }, () => client.call('Contact/GetRolesList', {})));
  process.send?.(done.filter(({ status }) => status === 'fulfilled').length);
}
