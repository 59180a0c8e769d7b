/**
 * Serves one generated reply over loopback: `/identity` as it is, `/gzip` compressed beforehand. The argument is the number
 * of rows; prints one line of JSON, `{"port", "bytes"}`, when ready.
 */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { sampleReply } from './sampleReply.ts';

const blocks = [...sampleReply(Number(process.argv[2]))];
const plain = Buffer.concat(blocks);
const packed = gzipSync(plain, { level: 6 });
const packedBlocks = Array.from({ length: Math.ceil(packed.length / 16384) }, (_, i) =>
  packed.subarray(i * 16384, (i + 1) * 16384),
);

const server = createServer((request, response) => {
  request.resume();
  const isPacked = request.url === '/gzip';
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
  });
  Readable.from(isPacked ? packedBlocks : blocks, { objectMode: false }).pipe(response);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  console.log(JSON.stringify({ port: address.port, bytes: plain.length, packedBytes: packed.length }));
});
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
});
