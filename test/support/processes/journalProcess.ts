import { asAnswered, settleWrite } from '../../../src/client/writes/writes.ts';
import { UnknownWrites } from '../../../src/connections/unknownWrites.ts';
import { post } from '../faults/faultProxy.ts';

/* A window of the editor that makes one write after the other until it is killed: `node journalProcess.ts FOLDER URL`. */

const [folder = '', url = ''] = process.argv.slice(2);
const server = { id: 'c1', name: 'Reports' };
const journal = new UnknownWrites(folder).journalOf(server);

for (let number = 1; ; number++) {
  const object = `write ${number} of ${process.pid}`;
  const traces = { kind: 'change' as const, object, read: async () => [], idOf: () => '', hasContent: () => false };
  await settleWrite({ name: server.name, journal }, traces, () => post(url, JSON.stringify({ object })), asAnswered);
}
