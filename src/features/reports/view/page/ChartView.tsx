import { useEffect, useRef, useState } from 'preact/hooks';
import type { Chart, ChartLack } from '../../../../contract/pages/chartFigure.ts';
import type { ChartDrawing } from '../../../../webview/charts/chartDrawing.ts';
import { ChartKeys } from '../../../../webview/charts/chartKeys.ts';
import { marksOf } from '../../../../webview/charts/chartMarks.ts';
import { summaryText } from '../../../../webview/charts/chartText.ts';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import { say } from '../../../../webview/shared/liveRegion.ts';
import type { PageModel } from './pageModel.ts';
import type { PageView } from './pageView.ts';
import * as l10n from '../../../../l10n/l10n.ts';

/** Maximum number of regions named in a notice. */
const namedRegions = 8;

/** The chart of the displayed view. Requests its data again whenever the rows change. */
export function ChartView({ model, view, viewNumber }: { model: PageModel; view: PageView; viewNumber: number }) {
  const { state, chart } = view;
  const place = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const drawing = useRef<ChartDrawing>(undefined);
  const keys = useRef<ChartKeys>(undefined);
  const [problem, setProblem] = useState('');
  const [notes, setNotes] = useState<string[]>([]);
  /** What the chart shows, once it is drawn. */
  const [summary, setSummary] = useState('');

  useEffect(() => {
    model.wantChart(viewNumber);
  }, [viewNumber]);

  useEffect(() => {
    let isGone = false;
    const { figure } = chart ?? {};
    setNotes(chart?.notes ?? []);
    if (figure === undefined || figure.kind === 'none' || figure.kind === 'kpi') {
      // The previous drawing is hidden and must not be saved as a picture.
      model.picture = undefined;
      return undefined;
    }
    const draw = async () => {
      const { ChartDrawing: Drawing } = await loadCharts();
      if (isGone || place.current === null || frame.current === null) return;
      drawing.current ??= new Drawing(place.current);
      keys.current ??= keysOf(drawing.current, frame.current);
      model.picture = drawing.current;
      let rows = marksOf(figure);
      if (figure.kind === 'map') {
        if (!drawing.current.hasShapes) {
          const shapes = await model.link.request('mapShapes', null);
          if (isGone) return;
          if (shapes === null)
            return setProblem(l10n.t('This installation has no map shapes. The table shows the rows.'));
          drawing.current.takeShapes(shapes);
        }
        const values = drawing.current.regionValues(figure.regions);
        rows = marksOf(figure, values);
        const joined = values.filter(({ sentAs }) => sentAs.length > 1).map(({ sentAs }) => sentAs.join(' + '));
        const unknown = drawing.current.unknownRegions(figure.regions.map(({ name }) => name));
        setNotes([
          ...(chart?.notes ?? []),
          ...regionsText((names) => l10n.t('Combined into one region each: {0}.', names), joined),
          ...regionsText((names) => l10n.t('Not on the map: {0}.', names), unknown),
        ]);
      }
      drawing.current.show(figure, { locale: l10n.language(), noData: l10n.t('no value') });
      keys.current.show(figure, rows);
      setSummary(summaryText(state.title, figure, rows));
      setProblem('');
    };
    draw().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    return () => {
      isGone = true;
    };
  }, [chart]);

  useEffect(
    () => () => {
      model.picture = undefined;
      drawing.current?.dispose();
    },
    [],
  );

  const lack = chart?.figure.kind === 'none' ? lackText(chart.figure.lack) : problem;
  useEffect(() => say(lack), [lack]);
  return (
    <div class="chart" data-kind={chart?.figure.kind ?? 'loading'}>
      {chart === undefined && <p class="chart-lack">{l10n.t('Drawing chart…')}</p>}
      {lack !== '' && (
        <p class="chart-lack">
          <Icon name="info" /> {lack}
        </p>
      )}
      {chart?.figure.kind === 'kpi' && <Kpi chart={chart} title={state.title} />}
      <div
        class="chart-stage"
        // Screen readers pass the arrow keys to an application only.
        role="application"
        // Gets the focus once it is drawn: a name that changes later is not read.
        tabIndex={summary === '' ? undefined : 0}
        inert={summary === ''}
        aria-roledescription={l10n.t('chart')}
        aria-label={summary || state.title}
        aria-description={[...notes, l10n.t('Arrow keys read the values. T shows the table.')].join(' ')}
        hidden={lack !== '' || chart?.figure.kind === 'kpi'}
        onFocus={() => keys.current?.focus(true)}
        onBlur={() => keys.current?.focus(false)}
        onKeyDown={(event) => keys.current?.press(event) === true && event.preventDefault()}
      >
        <div class="chart-place" ref={place} aria-hidden="true" />
        <div class="chart-frame" ref={frame} hidden />
      </div>
      {notes.length > 0 && (
        <p class="chart-notes" role="note">
          {notes.join(' ')}
        </p>
      )}
    </div>
  );
}

function keysOf(drawing: ChartDrawing, frame: HTMLElement): ChartKeys {
  const keys = new ChartKeys(drawing, frame);
  drawing.onDrawn(() => keys.place());
  return keys;
}

/** Figures as text, the first one large. */
function Kpi({ chart, title }: { chart: Chart; title: string }) {
  const figures = chart.figure.kind === 'kpi' ? chart.figure.figures : [];
  return (
    <div class="kpi-place" role="group" tabIndex={0} aria-label={summaryText(title, chart.figure, [])}>
      <dl class="kpi">
        {figures.map(({ label, text }, index) => (
          <div key={index} class={index === 0 ? `kpi-figure is-first ${sizeClass(text)}` : 'kpi-figure'}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Long numbers must not wrap, and texts must not fill the panel. */
function sizeClass(text: string): string {
  return text.length > 24 ? 'is-text' : text.length > 12 ? 'is-long' : '';
}

function lackText(lack: ChartLack): string {
  switch (lack) {
    case 'noRows':
      return l10n.t('No Rows');
    case 'noMeasure':
      return l10n.t('Nothing to chart: no numeric column. The table shows the rows.');
    case 'noNumber':
      return l10n.t('Nothing to chart: no row contains a number. The table shows the rows.');
    case 'noCategory':
      return l10n.t('Nothing to chart: no category column. The table shows the rows.');
    case 'noMap':
      return l10n.t('This installation has no map shapes. The table shows the rows.');
  }
}

/** A notice about some regions; empty if there are none. */
function regionsText(text: (names: string) => string, regions: readonly string[]): string[] {
  if (regions.length === 0) return [];
  const more = regions.length > namedRegions ? ' …' : '';
  return [text(regions.slice(0, namedRegions).join(', ') + more)];
}

/** Exports of the charts bundle. */
interface ChartsBundle {
  ChartDrawing: typeof ChartDrawing;
}

declare global {
  interface Window {
    analyticsCharts?: ChartsBundle;
  }
}

const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;
let loading: Promise<ChartsBundle> | undefined;

/** Loads the charts bundle once. @throws Error if it does not load; the next call retries. */
function loadCharts(): Promise<ChartsBundle> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** The page's CSP allows scripts only by nonce, so the new script gets the nonce of the page's own script. */
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
