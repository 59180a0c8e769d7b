/*
 * What a local server of an older release does for the windows that find it: it holds its data folder, tells its
 * installation id, and knows nothing of challenges.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const data = process.argv[process.argv.indexOf('--data') + 1] ?? '';
mkdirSync(data, { recursive: true, mode: 0o700 });
const lock = new DatabaseSync(path.join(data, 'server.lock'));
lock.exec('BEGIN EXCLUSIVE');
writeFileSync(path.join(data, 'server.pid'), String(process.pid));
for (const event of ['disconnect', 'SIGTERM']) process.once(event, () => process.exit(0));
const server = createServer((request, response) => {
  if (request.url?.startsWith('/api/')) response.end('1111-2222-3333-4444-5555-6666');
  else response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  process.send({ url: `http://127.0.0.1:${port}`, port, pid: process.pid, release: '0.1.0' });
});
