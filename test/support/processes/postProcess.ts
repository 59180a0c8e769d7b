import { isClientError } from '../../../src/client/clientError.ts';
import { Transport } from '../../../src/client/http/transport.ts';

/*
 * Posts once to the address that it is given, with the certificates of this process's system, and prints `ok` or the reason why
 * there was no trusted connection.
 */

const transport = new Transport({ connectionId: 'c', name: 'Reports', apiBase: `${process.argv[2]}/api` });
try {
  const reply = await transport.send('x', '{}', { deadlineMs: 10_000, maxBytes: 1000 });
  for await (const _chunk of reply.body);
  console.log('ok');
} catch (error) {
  console.log(isClientError(error) ? `${error.kind} ${error.reason}` : String(error));
} finally {
  await transport.close();
}
