import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDataFolder, type DataFolder, keyInFolder } from '../../../src/server/dataFolder.ts';

describe('the key in the data folder', () => {
  let folder: DataFolder;
  beforeEach(() => {
    folder = claimDataFolder(mkdtempSync(path.join(tmpdir(), 'analytics-folder-')));
  });
  afterEach(() => {
    folder.release();
    rmSync(folder.path, { recursive: true });
  });

  it('is made once, readable by its owner only', () => {
    const key = keyInFolder(folder);
    expect(key).toHaveLength(32);
    expect(keyInFolder(folder)).toEqual(key);
    expect(statSync(path.join(folder.path, 'secret.key')).mode & 0o077).toBe(0);
    expect(readdirSync(folder.path)).not.toContain('secret.key.new');
  });

  it('is made by the next start when the first one ended while it was written', () => {
    writeFileSync(path.join(folder.path, 'secret.key.new'), 'hal');
    const key = keyInFolder(folder);
    expect(readFileSync(path.join(folder.path, 'secret.key'), 'utf8')).toBe(key.toString('base64'));
  });

  it('is never made anew where there is a file that holds none', () => {
    writeFileSync(path.join(folder.path, 'secret.key'), 'not a key');
    expect(() => keyInFolder(folder)).toThrow('is damaged: it is not a key of 32 bytes. Nothing was changed.');
  });
});
