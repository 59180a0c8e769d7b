import { mix } from './colours.ts';
import type { ChartTheme } from './colours.ts';

const seriesVariables = ['blue', 'orange', 'green', 'purple', 'red', 'yellow'];

/** Reads the theme from the CSS variables that the editor gives its pages. */
export function readTheme(): ChartTheme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string, other: string) => style.getPropertyValue(`--vscode-${name}`).trim() || other;
  const text = read('foreground', '#888888');
  const background = read('editor-background', '#ffffff');
  const blue = read('charts-blue', '#3794ff');
  // A theme may give several of them the same colour.
  const series = [...new Set(seriesVariables.map((name) => read(`charts-${name}`, blue)))];
  return {
    background,
    text,
    quietText: read('descriptionForeground', text),
    line: read('panel-border', read('contrastBorder', '#80808059')),
    // Twelve series need more colours than a theme has: the second round is nearer to the background.
    series: [...series, ...series.map((colour) => mix(background, colour, 0.55))],
    scale: [mix(background, blue, 0.18), blue],
    none: mix(background, text, 0.1),
    fontFamily: read('font-family', 'sans-serif'),
    isHighContrast: document.body.classList.contains('vscode-high-contrast'),
  };
}

/** Calls `changed` after the editor has given the page another theme. */
export function onThemeChange(changed: () => void): { dispose(): void } {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return { dispose: () => observer.disconnect() };
}
