/**
 * Posts the body that the second argument holds to the address in the first, again and again, a few milliseconds apart on
 * one connection, until standard input ends; then prints what every call took as a list of milliseconds.
 */
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

const [address = '', body = ''] = process.argv.slice(2);
const pause = 3;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
let isOver = false;
process.stdin.resume().on('end', () => (isOver = true));

function ping(): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`Answered ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    outgoing.on('error', reject).end(body);
  });
}

for (let warmUp = 0; warmUp < 50; warmUp += 1) await ping();
console.log('ready');
const took: number[] = [];
while (!isOver) {
  const started = performance.now();
  await ping();
  took.push(performance.now() - started);
  await delay(pause);
}
console.log(JSON.stringify(took));
agent.destroy();
