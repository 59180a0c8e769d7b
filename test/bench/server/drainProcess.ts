/**
 * Posts the body that standard input holds to the address in the first argument, reads the reply to its end and prints
 * `{"ms","bytes","complete"}`: from sending until the last byte, and whether the reply ended as a whole result does.
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
      const complete = /"HasError":false,"ErrorMessage":null\}$/.test(last.toString('latin1').slice(-200));
      console.log(JSON.stringify({ ms: performance.now() - started, bytes, complete }));
    });
  },
);
outgoing.end(body);
