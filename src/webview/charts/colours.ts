/** Colours of the editor's theme, in a format for canvas. */
export interface ChartTheme {
  background: string;
  text: string;
  quietText: string;
  line: string;
  series: string[];
  /** Lowest and highest colour of a scale; `none` is for missing values. */
  scale: [string, string];
  none: string;
  fontFamily: string;
  isHighContrast: boolean;
}

/** A mix of two colours, with `share` of the second one. */
export function mix(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)];
  if (a === undefined || b === undefined) return to;
  const parts = a.map((value, index) => Math.round(value + ((b[index] ?? value) - value) * share));
  return `rgb(${parts.join(', ')})`;
}

/** Black or white, whichever is easier to read on the given colour. */
export function textOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = channels(colour) ?? [];
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '#000000' : '#ffffff';
}

function channels(colour: string): number[] | undefined {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(colour)?.[1];
  if (hex !== undefined) {
    const wide = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
    return [0, 2, 4].map((at) => parseInt(wide.slice(at, at + 2), 16));
  }
  const numbers = /^rgba?\(([^)]+)\)$/
    .exec(colour)?.[1]
    ?.split(/[\s,/]+/)
    .map(Number);
  return numbers !== undefined && numbers.length >= 3 ? numbers.slice(0, 3) : undefined;
}
