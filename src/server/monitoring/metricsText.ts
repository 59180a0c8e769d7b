/** One value of a metric. */
export interface Sample {
  value: number;
  labels: Readonly<Record<string, string>>;
  /** Appended to the metric's name, as for the parts of a histogram. */
  suffix: string;
}

/** A metric with its values. */
export interface Metric {
  name: string;
  help: string;
  kind: 'counter' | 'gauge' | 'histogram';
  samples: readonly Sample[];
}

export function sample(value: number, labels: Readonly<Record<string, string>> = {}, suffix = ''): Sample {
  return { value, labels, suffix };
}

/** Writes metrics in the text format of Prometheus, version 0.0.4; leaves out those without a value. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, kind, samples }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${kind}`,
        ...samples.map(({ value, labels, suffix }) => `${name}${suffix}${labelText(labels)} ${value}`),
        '',
      ].join('\n'),
    )
    .join('');
}

function labelText(labels: Sample['labels']): string {
  const entries = Object.entries(labels).map(([key, value]) => `${key}="${value.replace(/["\\\n]/g, escaped)}"`);
  return entries.length === 0 ? '' : `{${entries.join(',')}}`;
}

function escaped(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`;
}
