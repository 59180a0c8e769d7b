/** Where pins are kept: the editor's state of all windows. */
export interface PinState {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** A certificate that the user saw and chose to trust, and nothing else in its place. */
export interface CertificatePin {
  /** SHA-256, upper-case pairs joined by colons. */
  fingerprint: string;
  /** ISO 8601. */
  pinnedAt: string;
}

const stateKey = 'analytics.certificatePins';
const pattern = /^([\dA-F]{2}:){31}[\dA-F]{2}$/;

/** Pinned certificates by the origin of the server, for example `https://reports.example.com`. No secrets. */
export class CertificatePins {
  readonly #state: PinState;

  constructor(state: PinState) {
    this.#state = state;
  }

  get(origin: string): CertificatePin | undefined {
    return this.#read().get(origin);
  }

  async set(origin: string, fingerprint: string): Promise<void> {
    const pins = this.#read().set(origin, { fingerprint, pinnedAt: new Date().toISOString() });
    await this.#state.update(stateKey, Object.fromEntries(pins));
  }

  async delete(origin: string): Promise<void> {
    const pins = this.#read();
    if (pins.delete(origin)) await this.#state.update(stateKey, Object.fromEntries(pins));
  }

  /** What is no pin is left out: the server is then checked as any other. */
  #read(): Map<string, CertificatePin> {
    const kept = this.#state.get(stateKey);
    if (typeof kept !== 'object' || kept === null) return new Map();
    return new Map(Object.entries(kept).filter((entry): entry is [string, CertificatePin] => isPin(entry[1])));
  }
}

function isPin(value: unknown): value is CertificatePin {
  if (typeof value !== 'object' || value === null) return false;
  const { fingerprint, pinnedAt } = value as Partial<Record<keyof CertificatePin, unknown>>;
  return typeof fingerprint === 'string' && pattern.test(fingerprint) && typeof pinnedAt === 'string';
}
