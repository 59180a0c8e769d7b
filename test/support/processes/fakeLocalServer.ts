/** A program that keeps the embedded server's promises to its parent: ready message, installation id, clean stop. */
export const fakeLocalServer = `
  const http = require('node:http'), fs = require('node:fs'), path = require('node:path');
  const { createHmac, hkdfSync } = require('node:crypto');
  const data = process.argv[process.argv.indexOf('--data') + 1];
  fs.mkdirSync(data, { recursive: true });
  const idFile = path.join(data, 'id');
  if (!fs.existsSync(idFile)) {
    const four = () => String(Math.floor(1000 + Math.random() * 9000));
    fs.writeFileSync(idFile, Array.from({ length: 6 }, four).join('-'));
  }
  process.once('message', start);
  process.on('disconnect', () => process.exit(0));
  process.on('SIGTERM', () => process.exit(0));
  function start({ password, key }) {
    if (fs.existsSync(path.join(data, '..', 'broken'))) { console.error('the disk is full'); process.exit(3); }
    if (fs.existsSync(path.join(data, '..', 'newer'))) return process.send({ newerRelease: '9.2.0' }, () => process.exit(1));
    const proof = (nonce) => {
      const purpose = 'analytics-studio local server proof key 1';
      const proofKey = hkdfSync('sha256', Buffer.from(key, 'hex'), '', purpose, 32);
      const facts = [nonce, server.address().port, process.pid, fs.readFileSync(idFile)];
      const text = ['analytics-studio local server proof 1', ...facts].join('\\n');
      return createHmac('sha256', Buffer.from(proofKey)).update(text).digest('hex');
    };
    const server = http.createServer((request, response) => {
      if (request.url.startsWith('/local-server-proof?nonce=')) return response.end(proof(request.url.slice(26)));
      if (!request.url.startsWith('/api/')) return response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/plain' }).end(fs.readFileSync(idFile));
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      const secrets = { password, key, argv: process.argv, env: process.env };
      fs.writeFileSync(path.join(data, 'seen.json'), JSON.stringify(secrets));
      const release = fs.readFileSync(path.join(__dirname, 'release'), 'utf8');
      process.send({ url: 'http://127.0.0.1:' + port, port, pid: process.pid, release });
    });
  }`;
