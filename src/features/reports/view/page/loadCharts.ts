import type { ChartDrawing } from '../../../../webview/charts/chartDrawing.ts';

/** What the bundle of the charts brings. */
export interface ChartsBundle {
  ChartDrawing: typeof ChartDrawing;
}

declare global {
  interface Window {
    analyticsCharts?: ChartsBundle;
  }
}

const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;
let loading: Promise<ChartsBundle> | undefined;

/** Loads the bundle of the charts, once. @throws Error when it does not load; the next call tries again. */
export function loadCharts(): Promise<ChartsBundle> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** The page's policy lets scripts run by nonce only: the new one carries that of the page's own. */
async function load(): Promise<ChartsBundle> {
  const script = document.createElement('script');
  script.nonce = own?.nonce ?? '';
  script.src = new URL('charts.js', own?.src).href;
  await new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`The charts could not be loaded from ${script.src}.`)));
    document.head.append(script);
  });
  if (window.analyticsCharts === undefined) throw new Error('The charts were loaded, but did not start.');
  return window.analyticsCharts;
}
