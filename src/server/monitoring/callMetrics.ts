import { sample, type Sample } from './metricsText.ts';

/** Upper bounds of the durations that calls are counted by, in seconds. */
const bounds = [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120] as const;

interface Durations {
  /** Calls by the index of the first bound that holds them; the last entry holds longer ones. */
  counts: number[];
  sum: number;
}

/** Counts of calls since the server started, by endpoint and outcome. */
export class CallMetrics {
  readonly #outcomes = new Map<string, Map<string, number>>();
  readonly #durations = new Map<string, Durations>();

  add(endpoint: string, outcome: string, seconds: number): void {
    const outcomes = this.#outcomes.get(endpoint) ?? new Map<string, number>();
    this.#outcomes.set(endpoint, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
    const durations = this.#durations.get(endpoint) ?? { counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
    const found = bounds.findIndex((bound) => seconds <= bound);
    const index = found < 0 ? bounds.length : found;
    durations.counts[index] = (durations.counts[index] ?? 0) + 1;
    durations.sum += seconds;
    this.#durations.set(endpoint, durations);
  }

  calls(): Sample[] {
    return [...this.#outcomes].flatMap(([endpoint, outcomes]) =>
      [...outcomes].map(([outcome, count]) => sample(count, { endpoint, outcome })),
    );
  }

  durations(): Sample[] {
    return [...this.#durations].flatMap(([endpoint, { counts, sum }]) => {
      let total = 0;
      const buckets = counts.map((count, index) =>
        sample((total += count), { endpoint, le: String(bounds[index] ?? '+Inf') }, '_bucket'),
      );
      return [...buckets, sample(sum, { endpoint }, '_sum'), sample(total, { endpoint }, '_count')];
    });
  }
}
