import { forgetOldEntries } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';

const interval = 3_600_000;

/** Deletes audit entries past their retention, hourly from an hour after the start. */
export function createAuditPurge(store: Store, onError: (error: unknown) => void): { stop(): void } {
  const timer = setInterval(() => {
    try {
      forgetOldEntries(store, new Date());
    } catch (error) {
      onError(error);
    }
  }, interval).unref();
  return { stop: () => clearInterval(timer) };
}
