import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Secrets } from '../../src/connections/secrets/secretVault.ts';

/** Secret storage that the processes of a test share, as the windows of an editor share the real one. For tests only. */
export class FileSecrets implements Secrets {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(key: string): Promise<string | undefined> {
    try {
      return await readFile(this.#file(key), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async store(key: string, value: string): Promise<void> {
    const draft = `${this.#file(key)}.${randomUUID()}`;
    await writeFile(draft, value);
    await rename(draft, this.#file(key));
  }

  async delete(key: string): Promise<void> {
    await rm(this.#file(key), { force: true });
  }

  #file(key: string): string {
    return path.join(this.#folder, `secret-${key}`);
  }
}
