import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ImportJournalStore } from '../../../../src/features/userImport/importJournal.ts';

it('takes a missing folder for no import, and says when a folder cannot be listed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'import-journals-'));
  try {
    expect(await new ImportJournalStore(path.join(folder, 'none')).list()).toEqual([]);
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    await expect(new ImportJournalStore(file).list()).rejects.toThrow('ENOTDIR');
  } finally {
    await rm(folder, { recursive: true });
  }
});
