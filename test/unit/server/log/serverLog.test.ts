import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog, type LogOptions, parseLogLevel } from '../../../../src/server/log/serverLog.ts';

let folder: string;
let file: string;
let errors: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'server-log-'));
  file = path.join(folder, 'server.log');
  errors = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function logTo(options: Partial<LogOptions> = {}) {
  return createLog({
    ...{ level: 'info', isJson: true, writeError: (line) => errors.push(line) },
    ...{ now: () => new Date('2026-03-01T12:00:00Z') },
    ...options,
  });
}
const lines = (name = 'server.log') => readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n');

describe('createLog', () => {
  it('writes the message alone to standard error, or JSON', () => {
    logTo({ isJson: false })('It failed', 'error', { status: 500 });
    logTo()('It failed\nat line 2', 'warn', { status: 500 });
    expect(errors).toEqual([
      'It failed',
      '{"time":"2026-03-01T12:00:00.000Z","level":"warn","message":"It failed\\nat line 2","status":500}',
    ]);
  });

  it('leaves out what is below its level; an entry without level is an error', () => {
    const log = logTo({ level: 'error', isJson: false });
    log('one');
    log('two', 'warn');
    log('three', 'debug');
    expect(errors).toEqual(['one']);
    expect(() => parseLogLevel('all')).toThrow('--log-level must be error, warn, info, debug, not all.');
  });

  it('rotates its file by size, keeps some, and loses no entry meanwhile', () => {
    const log = logTo({ file, fileBytes: 1_000, keptFiles: 3 });
    for (let index = 0; index < 40; index += 1) log(`entry ${index}`);
    expect(readdirSync(folder).toSorted()).toEqual(['server.log', 'server.log.1', 'server.log.2', 'server.log.3']);
    const all = ['server.log.3', 'server.log.2', 'server.log.1', 'server.log'].flatMap((name) => lines(name));
    const numbers = all.map((line) => Number(/entry (\d+)/.exec(line)?.[1]));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 40 - numbers.length + index));
    for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).size).toBeLessThanOrEqual(1_000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(errors).toEqual([]);
  });

  it('goes on in standard error where its file cannot be written, and returns to it', () => {
    const log = logTo({ file: path.join(folder, 'missing', 'server.log') });
    log('first');
    log('second');
    expect(errors).toHaveLength(3);
    expect(errors[0]).toContain('cannot be written (ENOENT');
    mkdirSync(path.join(folder, 'missing'));
    log('third');
    expect(errors).toHaveLength(3);
    expect(lines('missing/server.log')).toHaveLength(1);
  });

  it.each([
    ['{"sessionToken":"opaque-1","x":1}', 'opaque-1'],
    [`{'UserPassword': 'with "quotes" and spaces'}`, 'with "quotes"'],
    ['{"UserPassword":"quote \\" inside"}', 'inside'],
    ['connect host=db user=app password=s3cret! dbname=x', 's3cret!'],
    ['Server=db;Pwd=s3cret;Encrypt=true', 's3cret'],
    ['https://app:s3cret@db.example/x failed', 's3cret'],
    ['GET /sso.html?s=abc_DEF-1&h=1', 'abc_DEF-1'],
    ['Authorization: Bearer abc.def.ghi', 'abc.def.ghi'],
    ['Set the Pin: 1234-5678', '1234-5678'],
    [`unknown token ${'aB3-_'.repeat(8)}xyz in a sentence`, 'aB3-_aB3'],
    ['-----BEGIN PRIVATE KEY-----\nMIIB\nabc\n-----END PRIVATE KEY-----', 'MIIB'],
    ['-----BEGIN EC PRIVATE KEY-----\nMIIB and the rest is cut', 'MIIB'],
  ])('masks the secret of %s', (message, secret) => {
    logTo()(message);
    logTo({ isJson: false })(message);
    logTo({ file })(message);
    expect([...errors, ...lines()].join('\n')).not.toContain(secret);
    expect(errors.join('\n')).toContain('***');
  });

  it('keeps what is no secret', () => {
    const message =
      'Report/GetReportData failed (0a1b2c3d): Error: no such column: token_count at run (/srv/x.js:10:5)';
    logTo({ isJson: false })(message);
    expect(errors).toEqual([message]);
  });
});
