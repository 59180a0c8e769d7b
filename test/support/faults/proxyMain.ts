import { setInterval } from 'node:timers';
import { startProxy } from './tlsProxy.ts';

/*
 * A forward proxy as a process of its own, for which every name is this machine. Prints its address, then each thing that
 * it is asked; ends when its input does. `ANALYTICS_STUDIO_PROXY_TOKEN`: the `Proxy-Authorization` that it wants.
 */

const token = process.env.ANALYTICS_STUDIO_PROXY_TOKEN;
const proxy = await startProxy({ isHere: true, ...(token !== undefined && { token }) });
process.stdout.write(`${proxy.url}\n`);
let printed = 0;
setInterval(() => {
  for (const line of proxy.asked.slice(printed)) process.stdout.write(`${line}\n`);
  printed = proxy.asked.length;
}, 10);
process.stdin.resume().on('end', () => process.exit(0));
