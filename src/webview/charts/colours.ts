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
  return contrast('#000000', colour) > contrast('#ffffff', colour) ? '#000000' : '#ffffff';
}

/** Minimum contrast of what is not text with its background, by the Web Content Accessibility Guidelines. */
const leastContrast = 3;
/** Shares tried by {@link visibleOn}. */
const shareStep = 0.05;

/** The colour, moved towards the text colour as far as necessary to be seen on the background. */
export function visibleOn(background: string, colour: string, text: string): string {
  for (let share = 0; share < 1; share += shareStep) {
    const mixed = mix(colour, text, share);
    if (contrast(mixed, background) >= leastContrast) return share === 0 ? colour : mixed;
  }
  return text;
}

/** Contrast of two colours, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (channels(colour) ?? []).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
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
