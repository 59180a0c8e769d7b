import { probeServer } from '../../../src/client/http/probe.ts';
import { LocalServer } from '../../../src/connections/localServer/localServer.ts';
import { LocalServerHome } from '../../../src/connections/localServer/localServerHome.ts';
import { MemorySecrets } from '../memorySecrets.ts';

/*
 * One window of the editor that started the local server, as a process of its own: `node windowProcess.ts SCRIPT FOLDER`. It
 * sends its parent the id of the server's process, and then stays.
 */

const [script = '', folder = ''] = process.argv.slice(2);
const window = new LocalServer({
  script,
  home: new LocalServerHome(folder, new MemorySecrets()),
  window: { release: '0.2.0', editor: 'Test Editor' },
  log: { info: () => undefined, warn: () => undefined },
  probe: (url, signal) => probeServer(url, { signal }),
  onDidAbandonData: () => undefined,
});
const { pid } = await window.ensureRunning();
process.send?.(pid);
