/** Colours of the editor's theme, in a format for canvas. */
export interface ChartTheme {
  background: string;
  text: string;
  quietText: string;
  /** Lines that only guide the eye. */
  line: string;
  series: string[];
  /** Lowest and highest colour of a scale; `none` is for missing values. */
  scale: [string, string];
  none: string;
  /** What is empty, and yet must be seen. */
  track: string;
  fontFamily: string;
  isHighContrast: boolean;
}

const seriesVariables = ['blue', 'orange', 'green', 'purple', 'red', 'yellow'];

/**
 * The colours of a theme, made opaque and visible on its background.
 * @param read the value of a CSS variable that VS Code provides for webviews, by its name; empty if the theme has none.
 */
export function themeOf(read: (name: string) => string, isHighContrast: boolean): ChartTheme {
  const background = read('editor-background') || '#ffffff';
  const text = opaqueOn(background, read('foreground') || '#888888');
  const shown = (colour: string) => visibleOn(background, colour, text);
  const blue = opaqueOn(background, read('charts-blue') || '#3794ff');
  // A theme may use the same colour for several of them.
  const series = [...new Set(seriesVariables.map((name) => opaqueOn(background, read(`charts-${name}`) || blue)))];
  const none = mix(background, text, 0.1);
  return {
    background,
    text,
    quietText: opaqueOn(background, read('descriptionForeground') || text),
    line: read('panel-border') || read('contrastBorder') || '#80808059',
    // Twelve series need more colours than a theme has: the second set is blended with the background.
    series: [...series, ...series.map((colour) => mix(background, colour, 0.55))].map(shown),
    scale: [faintestOf(background, blue), mix(shown(blue), text, 0.5)],
    none,
    track: shown(none),
    fontFamily: read('font-family') || 'sans-serif',
    isHighContrast,
  };
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

/** The palest mix of the background with a colour that can be seen on it; the colour itself if that is too pale. */
function faintestOf(background: string, colour: string): string {
  for (let share = shareStep; share < 1; share += shareStep) {
    const mixed = mix(background, colour, share);
    if (contrast(mixed, background) >= leastContrast) return mixed;
  }
  return colour;
}

/** A colour that may be translucent, as it looks on the background. */
function opaqueOn(background: string, colour: string): string {
  const share = opacityOf(colour);
  return share === 1 ? colour : mix(background, colour, share);
}

function opacityOf(colour: string): number {
  const hex = /^#([0-9a-f]{4}|[0-9a-f]{8})$/i.exec(colour)?.[1];
  if (hex !== undefined) return parseInt(hex.length === 4 ? (hex[3] ?? '').repeat(2) : hex.slice(6), 16) / 255;
  const [, , , alpha] = /^rgba?\(([^)]+)\)$/.exec(colour)?.[1]?.split(/[\s,/]+/) ?? [];
  return alpha === undefined ? 1 : Number(alpha);
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
