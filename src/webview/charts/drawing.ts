import type { ChartFigure, MeasureFormat } from '../../protocol/chartFigure.ts';
import type { ChartTheme } from './colours.ts';

/** Figures that are drawn; the others are text. */
export type DrawnFigure = Exclude<ChartFigure, { kind: 'none' | 'kpi' }>;

/** What a drawing is made from besides its figure. */
export interface DrawingContext {
  theme: ChartTheme;
  /** BCP 47 tag, for numbers. */
  locale: string;
  /** Said where a value is missing. */
  noData: string;
  /** Describes the chart to those who cannot see it. */
  label: string;
}

/** Writes the numbers of a measure; of those that its decimals would make nought, two digits. */
export function numberWriter(locale: string, { suffix, minDigits, maxDigits }: MeasureFormat) {
  const numbers = new Intl.NumberFormat(locale, {
    minimumFractionDigits: minDigits,
    maximumFractionDigits: maxDigits,
    signDisplay: 'negative',
  });
  const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });
  const leastShown = 0.5 / 10 ** maxDigits;
  return (value: number) => {
    const isSmall = value !== 0 && Math.abs(value) < leastShown;
    return `${(isSmall ? small : numbers).format(value)}${suffix}`;
  };
}

/** Writes numbers short, as axes have room for them: `1.2M`, `0.005`. */
export function shortWriter(locale: string, suffix: string) {
  const numbers = new Intl.NumberFormat(locale, {
    notation: 'compact',
    maximumSignificantDigits: 3,
    signDisplay: 'negative',
  });
  return (value: number) => `${numbers.format(value)}${suffix}`;
}

/** What every chart has: fonts, the tooltip, its description. Tooltips are drawn, never HTML. */
export function baseOption({ theme, label }: DrawingContext, isPatterned: boolean) {
  return {
    animation: false,
    backgroundColor: 'transparent',
    color: theme.series,
    textStyle: { fontFamily: theme.fontFamily, color: theme.text },
    aria: {
      enabled: true,
      label: { enabled: true, description: label },
      decal: { show: isPatterned },
    },
    tooltip: {
      renderMode: 'richText' as const,
      confine: true,
      backgroundColor: theme.background,
      borderColor: theme.line,
      borderWidth: 1,
      textStyle: { color: theme.text, fontFamily: theme.fontFamily, fontSize: 12 },
    },
  };
}
