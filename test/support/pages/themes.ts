import type { Page } from 'playwright-core';
import themes from '../../fixtures/themes.json' with { type: 'json' };

/** The themes that everything must look right in, as the editor gives them to a webview. */
export type ThemeName = keyof typeof themes;
export const themeNames: readonly ThemeName[] = ['dark', 'light', 'highContrast', 'highContrastLight'];

/** Gives a page the colours and fonts of a theme, as the editor does when its theme changes. */
export async function wearTheme(page: Page, name: ThemeName): Promise<void> {
  const { classes, variables } = themes[name];
  await page.evaluate(putOn, { classes, variables: Object.entries(variables) });
}

/** In the page. Its policy lets no style attribute in, but lets scripts set properties. */
function putOn({ classes, variables }: { classes: readonly string[]; variables: readonly [string, string][] }): void {
  const { documentElement, body } = document;
  for (const property of [...documentElement.style]) documentElement.style.removeProperty(property);
  for (const [variable, value] of variables) documentElement.style.setProperty(variable, value);
  const others = [...body.classList].filter((kind) => !kind.startsWith('vscode-'));
  body.className = [...others, ...classes].join(' ');
}
