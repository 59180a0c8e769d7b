/**
 * Posts the body that standard input holds to the address in the first argument, reads the reply to its end and prints
 * `{"ms","bytes","complete","end"}`: from sending until the last byte, whether the reply ended as a whole result does, and
 * otherwise its end.
 */
import { request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';

const body = await buffer(process.stdin);
const started = performance.now();
const outgoing = request(
  process.argv[2] ?? '',
  { method: 'POST', headers: { 'Content-Type': 'application/json', 'Content-Length': body.length } },
  (response) => {
    let bytes = 0;
    let last: Buffer = Buffer.alloc(0);
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      last = chunk;
    });
    response.on('end', () => {
      const end = last.toString('latin1').slice(-300);
      const complete = /"HasError":false,"ErrorMessage":null\}$/.test(end);
      console.log(JSON.stringify({ ms: performance.now() - started, bytes, complete, end: complete ? '' : end }));
    });
  },
);
outgoing.end(body);
