import type { ChartFigure, MeasureFormat } from '../../contract/pages/chartFigure.ts';
import type { ChartTheme } from './colours.ts';

/** Figures that are drawn; the others are text. */
export type ChartInput = Exclude<ChartFigure, { kind: 'none' | 'kpi' }>;

/** Data for a drawing, in addition to its figure. */
export interface DrawingContext {
  theme: ChartTheme;
  /** BCP 47 tag, for numbers. */
  locale: string;
  /** Text for a missing value. */
  noData: string;
}

/** Numbers from these sizes on use scientific notation, in full and in short form. */
const mostInDigits = 1e21;
const mostShort = 1e15;
/** Smaller numbers use scientific notation too. */
const leastInDigits = 1e-6;

/** Formats the numbers of a measure; with two significant digits if its decimals would round them to zero. */
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

/** Whether a number is too large or too small for plain notation. */
function isExtreme(value: number, most: number): boolean {
  const size = Math.abs(value);
  return size >= most || (size !== 0 && size < leastInDigits);
}

/** Formats numbers in short form, as for axes: `1.2M`, `0.005`. */
export function shortDateWriter(locale: string, suffix: string) {
  const numbers = new Intl.NumberFormat(locale, {
    notation: 'compact',
    maximumSignificantDigits: 3,
    signDisplay: 'negative',
  });
  const power = powerWriter(locale, 3);
  return (value: number) => `${(isExtreme(value, mostShort) ? power : numbers).format(value)}${suffix}`;
}

/** Maximum characters per tooltip line and lines per name: longer ones would push the numbers out of the panel. */
const longestLine = 60;
const mostLines = 5;

/** Shortens a text to `longest` characters, with an ellipsis. */
export function shortName(name: string, longest: number): string {
  const characters = [...name];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : name;
}

/** Text of a tooltip: lines of a name and its value. */
export function tipText(lines: readonly (readonly [name: string, value?: string])[]): string {
  // With many names, each has one line; otherwise the last ones would be below the panel.
  const most = lines.length > mostLines ? 1 : mostLines;
  return lines
    .map(([name, value]) => (value === undefined ? named(name, most) : `${named(name, most)}  ${value}`))
    .join('\n');
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const wordJoiner = '\u2060';

/**
 * A name, escaped for tooltips: `{style|text}` would be parsed as a format and lose its start, and a number after
 * right-to-left text would be shown before it.
 */
function named(name: string, most: number): string {
  const whole = name.replace(/\{(?=\w+\|)/g, `{${wordJoiner}`);
  const isolated = (line: string) => (rightToLeft.test(line) ? `\u2068${line}\u2069` : line);
  return wrapped(whole, most).map(isolated).join('\n');
}

/** Wraps a text to the width of a tooltip, at blanks if possible. */
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

/** Of what is pointed at or reached by keys: ECharts would make it lighter, too light to be told from the background. */
export const steady = { color: 'inherit' as const };

/** Patterns that tell series apart without their colours, drawn in the colour of the background; the first has none. */
function patterns(color: string): object[] {
  const none = { symbol: 'none', symbolSize: 0.5 };
  const stripes = { symbol: 'rect', symbolSize: 1, dashArrayX: [1, 0], color };
  const dots = {
    symbol: 'circle',
    symbolSize: 0.5,
    dashArrayX: [
      [8, 8],
      [0, 8, 8, 0],
    ],
    dashArrayY: [8, 0],
    color,
  };
  return [
    none,
    { ...stripes, dashArrayY: [2, 7], rotation: Math.PI / 4 },
    dots,
    { ...stripes, dashArrayY: [2, 7], rotation: -Math.PI / 4 },
    { ...stripes, dashArrayY: [2, 7] },
    { ...dots, symbol: 'triangle' },
    { ...stripes, dashArrayY: [2, 7], rotation: Math.PI / 2 },
  ];
}

/** Option common to all charts: fonts, patterns, the tooltip. Tooltips are drawn, never HTML. */
export function baseOption({ theme }: DrawingContext, isPatterned: boolean) {
  return {
    animation: false,
    backgroundColor: 'transparent',
    color: theme.series,
    textStyle: { fontFamily: theme.fontFamily, color: theme.text },
    aria: {
      enabled: true,
      // The page names the chart.
      label: { enabled: false },
      decal: { show: isPatterned, decals: patterns(theme.background) },
    },
    tooltip: {
      renderMode: 'richText' as const,
      confine: true,
      backgroundColor: theme.background,
      borderColor: theme.quietText,
      borderWidth: 1,
      textStyle: { color: theme.text, fontFamily: theme.fontFamily, fontSize: 12 },
    },
  };
}
