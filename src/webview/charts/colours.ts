/** Colours of the editor's theme, as a canvas takes them. */
export interface ChartTheme {
  background: string;
  text: string;
  quietText: string;
  line: string;
  series: string[];
  /** Lowest and highest of a scale, and what has no value. */
  scale: [string, string];
  none: string;
  fontFamily: string;
  isHighContrast: boolean;
}

/** A colour `share` of the way from one to the other. */
export function mix(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)];
  if (a === undefined || b === undefined) return to;
  const parts = a.map((value, index) => Math.round(value + ((b[index] ?? value) - value) * share));
  return `rgb(${parts.join(', ')})`;
}

/** Black or white, whichever is easier to read on a colour. */
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
