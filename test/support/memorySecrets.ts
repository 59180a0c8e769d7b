import type { Secrets } from '../../src/connections/secrets/secretVault.ts';

/** Secret storage in memory, which shows what is in it. */
export class MemorySecrets implements Secrets {
  readonly values = new Map<string, string>();

  async get(key: string): Promise<string | undefined> {
    return this.values.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    this.values.set(key, value);
  }

  async delete(key: string): Promise<void> {
    this.values.delete(key);
  }
}
