import type { ChartFigure, MeasureFormat } from '../../contract/pages/chartFigure.ts';
import type { ChartTheme } from './colours.ts';

/** Figures that are drawn; the others are text. */
export type ChartInput = Exclude<ChartFigure, { kind: 'none' | 'kpi' }>;

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

/** Numbers as large as this are written by their power of ten where they are written out, and where they are short. */
const mostInDigits = 1e21;
const mostShort = 1e15;
/** So are those that are as small as this. */
const leastInDigits = 1e-6;

/** Writes the numbers of a measure; of those that its decimals would make nought, two digits. */
export function numberWriter(locale: string, { suffix, minDigits, maxDigits }: MeasureFormat) {
  const numbers = new Intl.NumberFormat(locale, {
    minimumFractionDigits: minDigits,
    maximumFractionDigits: maxDigits,
    signDisplay: 'negative',
  });
  const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });
  const power = powerWriter(locale, 6);
  const leastShown = 0.5 / 10 ** maxDigits;
  return (value: number) => {
    if (isExtreme(value, mostInDigits)) return `${power.format(value)}${suffix}`;
    const isSmall = value !== 0 && Math.abs(value) < leastShown;
    return `${(isSmall ? small : numbers).format(value)}${suffix}`;
  };
}

function powerWriter(locale: string, digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { notation: 'scientific', maximumSignificantDigits: digits });
}

/** Whether a number is one that nobody reads by its digits. */
function isExtreme(value: number, most: number): boolean {
  const size = Math.abs(value);
  return size >= most || (size !== 0 && size < leastInDigits);
}

/** Writes numbers short, as axes have room for them: `1.2M`, `0.005`. */
export function shortDateWriter(locale: string, suffix: string) {
  const numbers = new Intl.NumberFormat(locale, {
    notation: 'compact',
    maximumSignificantDigits: 3,
    signDisplay: 'negative',
  });
  const power = powerWriter(locale, 3);
  return (value: number) => `${(isExtreme(value, mostShort) ? power : numbers).format(value)}${suffix}`;
}

/** Characters in a line of a tooltip, and lines of one name: what is longer would push the numbers out of the panel. */
const longestLine = 60;
const mostLines = 5;

/** A text of so many characters at most, with a sign where it goes on. */
export function shortName(name: string, longest: number): string {
  const characters = [...name];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : name;
}

/** A tooltip: lines of a name and what belongs to it. */
export function tipText(lines: readonly (readonly [name: string, value?: string])[]): string {
  // Of many names, each has one line: the last ones would be below the panel.
  const most = lines.length > mostLines ? 1 : mostLines;
  return lines
    .map(([name, value]) => (value === undefined ? named(name, most) : `${named(name, most)}  ${value}`))
    .join('\n');
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const wordJoiner = '\u2060';

/**
 * A name as tooltips show it whole: `{style|text}` would be taken for a format and lose its beginning, and a number behind
 * letters that run from right to left would stand before them.
 */
function named(name: string, most: number): string {
  const whole = name.replace(/\{(?=\w+\|)/g, `{${wordJoiner}`);
  const isolated = (line: string) => (rightToLeft.test(line) ? `\u2068${line}\u2069` : line);
  return wrapped(whole, most).map(isolated).join('\n');
}

/** A text in lines that a tooltip has room for, broken at blanks where there are some. */
function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  let rest = [...text];
  while (rest.length > longestLine && lines.length < most - 1) {
    const blank = rest.slice(0, longestLine + 1).lastIndexOf(' ');
    const end = blank > longestLine / 2 ? blank : longestLine;
    lines.push(rest.slice(0, end).join(''));
    rest = rest.slice(rest[end] === ' ' ? end + 1 : end);
  }
  return [...lines, shortName(rest.join(''), longestLine)];
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
