import { randomUUID } from 'node:crypto';
import type { JournalledWrite, OpenWrite, WriteJournal } from '../client/writeJournal.ts';
import { isProcessAlive } from './fileLock.ts';
import type { PinState } from './certificatePins.ts';

/** A write whose outcome is not known, as it is kept in the editor's state: no documents, no secrets. */
export interface UnknownWrite extends JournalledWrite {
  id: string;
  connectionId: string;
  /** Name of the server at that time. */
  server: string;
  /** ISO 8601. */
  sentAt: string;
  /** Process that sent it. */
  pid: number;
  /** Why its outcome is not known; empty while it is under way. */
  reason: string;
}

/** The server that a journal is for. */
export interface JournalServer {
  readonly id: string;
  readonly name: string;
}

const stateKey = 'analytics.unknownWrites';
/** Older ones make way: whoever has not looked by then will not. */
const maxKept = 50;

/** Writes under way and of unknown outcome, of all servers and windows. */
export class UnknownWrites {
  readonly #state: PinState;
  /** Looks at the server that can still be made, as this process sent the write. */
  readonly #looks = new Map<string, () => Promise<boolean>>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(state: PinState) {
    this.#state = state;
  }

  /** Writes of unknown outcome, latest first; also those that a process was sending when it ended. */
  list(): UnknownWrite[] {
    return this.#read()
      .filter(({ reason, pid }) => reason !== '' || !isProcessAlive(pid))
      .reverse();
  }

  /** Whether the server shows a write now; undefined when that cannot be told any more. */
  async look(id: string): Promise<boolean | undefined> {
    const found = await this.#looks.get(id)?.();
    if (found) await this.forget(id);
    return found;
  }

  async forget(id: string): Promise<void> {
    this.#looks.delete(id);
    await this.#change((all) => all.filter((entry) => entry.id !== id));
  }

  /** The journal of one server. */
  journalOf(server: JournalServer): WriteJournal {
    return { begin: (write) => this.#begin(server, write) };
  }

  async #begin(server: JournalServer, { kind, object }: JournalledWrite): Promise<OpenWrite> {
    const id = randomUUID();
    const entry = { id, connectionId: server.id, server: server.name, kind, object, pid: process.pid, reason: '' };
    await this.#change((all) => [...all, { ...entry, sentAt: new Date().toISOString() }].slice(-maxKept));
    return {
      settled: () => this.forget(id),
      unknown: async (reason, look) => {
        this.#looks.set(id, look);
        await this.#change((all) => all.map((known) => (known.id === id ? { ...known, reason } : known)));
      },
    };
  }

  /** One change at a time, each on what the one before it left. */
  #change(change: (all: UnknownWrite[]) => UnknownWrite[]): Promise<void> {
    const work = this.#writing.then(() => this.#state.update(stateKey, change(this.#read())));
    this.#writing = work.catch(() => undefined);
    return work;
  }

  #read(): UnknownWrite[] {
    const kept = this.#state.get(stateKey);
    return Array.isArray(kept) ? (kept as unknown[]).filter(isUnknownWrite) : [];
  }
}

function isUnknownWrite(value: unknown): value is UnknownWrite {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<Record<keyof UnknownWrite, unknown>>;
  const texts = [entry.id, entry.connectionId, entry.server, entry.object, entry.sentAt, entry.reason];
  const isKind = entry.kind === 'create' || entry.kind === 'change' || entry.kind === 'delete';
  return isKind && typeof entry.pid === 'number' && texts.every((text) => typeof text === 'string');
}
