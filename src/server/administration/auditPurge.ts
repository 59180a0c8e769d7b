import { forgetOldEntries } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';

const interval = 3_600_000;

/** Deletes audit entries past their retention, hourly from an hour after the start, some at a time between other calls. */
export function createAuditPurge(store: Store, onError: (error: unknown) => void): { stop(): void } {
  let next: NodeJS.Immediate | undefined;
  const purge = (now: Date, after?: number) => {
    try {
      const last = forgetOldEntries(store, now, after);
      next = last === undefined ? undefined : setImmediate(purge, now, last);
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(() => purge(new Date()), interval).unref();
  const stop = () => {
    clearInterval(timer);
    clearImmediate(next);
  };
  return { stop };
}
