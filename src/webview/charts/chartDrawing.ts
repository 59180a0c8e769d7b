import { BarChart, GaugeChart, LineChart, MapChart, PieChart, TreemapChart } from 'echarts/charts';
import {
  AriaComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  LegendScrollComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components';
import { getMap, init, registerMap, use, type ECharts } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import type { MapValue, ChartFigure } from '../../contract/pages/chartFigure.ts';
import { axesOption } from './axesOption.ts';
import { type DrawingContext, type ChartInput, baseOption, numberWriter, shortDateWriter, tipText } from './drawing.ts';
import type { MarkRow, Span } from './chartMarks.ts';
import { markBox, type Box } from './markBox.ts';
import { gaugeOption, partId, pieOption, treeOption, readHovered } from './partsOption.ts';
import { RegionMap, type RegionValue } from './regionMap.ts';
import { textOn, themeOf, type ChartTheme } from './colours.ts';

use([BarChart, GaugeChart, LineChart, MapChart, PieChart, TreemapChart]);
use([
  AriaComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  LegendScrollComponent,
  TooltipComponent,
  VisualMapComponent,
]);
use([CanvasRenderer, SVGRenderer]);

const mapName = 'states';
const pictureScale = 2;

/** Texts and shapes that the page provides for a drawing. */
type DrawingTexts = Omit<DrawingContext, 'theme'>;

/** A chart in an element of the page. Adapts to the element's size and the editor's theme. */
export class ChartDrawing {
  readonly #chart: ECharts;
  readonly #place: HTMLElement;
  readonly #observer: ResizeObserver;
  readonly #themes: { dispose(): void };
  #figure: ChartInput | undefined;
  #words: DrawingTexts | undefined;
  #map: RegionMap | undefined;
  /** The categories in view: as drawn, and once the user has chosen some. */
  #drawn: Span | undefined;
  #chosen: Span | undefined;

  constructor(place: HTMLElement) {
    this.#place = place;
    this.#chart = init(place, null, { renderer: 'canvas' });
    this.#observer = new ResizeObserver(() => this.#fit());
    this.#observer.observe(place);
    this.#themes = onThemeChange(() => this.#draw());
    this.#chart.on('datazoom', (event) => {
      this.#chosen = this.#spanOf(event) ?? this.#chosen;
    });
  }

  /** Calls `listener` whenever marks may have moved. */
  onDrawn(listener: () => void): void {
    this.#chart.on('rendered', listener);
  }

  /** Draws a figure, replacing the previous one. */
  show(figure: ChartInput, words: DrawingTexts): void {
    this.#figure = figure;
    this.#words = words;
    this.#chosen = undefined;
    this.#draw();
  }

  /** Where a value is drawn, in pixels; undefined if it has no place of its own. */
  boxOf(row: MarkRow, index: number): Box | undefined {
    return this.#figure && markBox(this.#chart, this.#figure, row, index);
  }

  /** Shows the tooltip of a value. */
  showTip({ series, offset, labels }: MarkRow, index: number): void {
    const kind = this.#figure?.kind;
    if (kind === 'gauge') return;
    const item = kind === 'map' ? { name: labels[index] } : { dataIndex: kind === 'tree' ? offset + index + 1 : index };
    this.#chart.dispatchAction({ type: 'showTip', seriesIndex: series, ...item });
  }

  hideTip(): void {
    this.#chart.dispatchAction({ type: 'hideTip' });
  }

  /** The categories in view; undefined for charts without an axis of categories. */
  get span(): Span | undefined {
    return this.#chosen ?? this.#drawn;
  }

  showSpan(span: Span): void {
    this.#chosen = span;
    this.#chart.dispatchAction({ type: 'dataZoom', startValue: span.first, endValue: span.last });
  }

  /** Zooms a tree map to a part, by its number; undefined shows all parts. */
  zoomToPart(part: number | undefined): void {
    if (part === undefined) this.#draw();
    else this.#chart.dispatchAction({ type: 'treemapZoomToNode', seriesIndex: 0, targetNodeId: partId(part) });
  }

  /** Sets the shapes of the map, without which it is not drawn. @throws Error when they cannot be read. */
  takeShapes(bytes: Uint8Array): void {
    this.#map = new RegionMap(bytes);
    if (getMap(mapName) == null) registerMap(mapName, { geoJSON: this.#map.regions as never, specialAreas: {} });
  }

  /** Whether the shapes of the map are loaded. */
  get hasShapes(): boolean {
    return this.#map !== undefined;
  }

  /** The given names that are not regions of the map. */
  unknownRegions(names: readonly string[]): string[] {
    return names.filter((name) => this.#map?.find(name) === undefined);
  }

  /** The values by region of the map, each with the names that it was sent for. */
  regionValues(values: readonly MapValue[]): RegionValue[] {
    return this.#map?.valuesOf(values) ?? [];
  }

  /** The chart as a PNG at twice its size on the screen. */
  async png(): Promise<Uint8Array> {
    const { background } = readTheme();
    const canvas = this.#chart.renderToCanvas({ pixelRatio: pictureScale, backgroundColor: background });
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob === null) throw new Error('The browser could not make a picture of the chart.');
    return new Uint8Array(await blob.arrayBuffer());
  }

  /** The chart as SVG text in UTF-8, drawn separately without a page element. */
  svg(): Uint8Array {
    const width = this.#chart.getWidth();
    const height = this.#chart.getHeight();
    const drawing = init(null, null, { renderer: 'svg', ssr: true, width, height });
    try {
      drawing.setOption({ ...this.#option(), backgroundColor: readTheme().background } as never);
      return new TextEncoder().encode(drawing.renderToSVGString());
    } finally {
      drawing.dispose();
    }
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#themes.dispose();
    this.#chart.dispose();
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.#place;
    if (clientWidth > 0 && clientHeight > 0) this.#chart.resize({ width: clientWidth, height: clientHeight });
  }

  #draw(): void {
    const option = this.#option();
    if (option === undefined) return;
    this.#chart.setOption(option as never, { notMerge: true });
    this.#drawn = 'dataZoom' in option ? this.#spanOf({ batch: option.dataZoom }) : undefined;
    if (this.#chosen !== undefined) this.showSpan(this.#chosen);
  }

  /** The categories that a zoom in percent shows; undefined if it is given otherwise. */
  #spanOf(zoom: unknown): Span | undefined {
    if (this.#figure?.kind !== 'axes') return undefined;
    const { start, end } = percentsOf(zoom);
    const last = this.#figure.category.labels.length - 1;
    const place = (percent: number) => Math.round((percent / 100) * last);
    return start === undefined || end === undefined ? undefined : { first: place(start), last: place(end) };
  }

  #option(): object | undefined {
    const figure = this.#figure;
    if (figure === undefined || this.#words === undefined) return undefined;
    const context = { ...this.#words, theme: readTheme() };
    switch (figure.kind) {
      case 'axes':
        return axesOption(figure, context);
      case 'pie':
        return pieOption(figure, context);
      case 'tree':
        return treeOption(figure, context);
      case 'gauge':
        return gaugeOption(figure, context);
      case 'map':
        return this.#map === undefined ? undefined : mapOption(figure, this.#map, mapName, context);
    }
  }
}

type MapFigure = Extract<ChartFigure, { kind: 'map' }>;

/** Option for regions coloured by value; `mapName` is the registered name of the map. */
export function mapOption(figure: MapFigure, map: RegionMap, mapName: string, context: DrawingContext) {
  const { theme, locale, noData } = context;
  const write = numberWriter(locale, figure.format);
  const values = map.valuesOf(figure.regions).map(({ name, value }) => ({
    name,
    value,
    // Between two regions of any value, their border is seen.
    itemStyle: { borderColor: theme.background, borderWidth: 1 },
  }));
  const numbers = values.map(({ value }) => value);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const base = baseOption(context, false);
  return {
    ...base,
    tooltip: {
      ...base.tooltip,
      formatter: (hovered: unknown) => {
        const { name, value } = readHovered(hovered);
        return tipText([[name], [figure.title, Number.isNaN(value) ? noData : write(value)]]);
      },
    },
    visualMap: {
      type: 'continuous' as const,
      // Without values, a scale would look like one from 0 to 1.
      show: numbers.length > 0,
      min: numbers.length === 0 ? 0 : low,
      max: numbers.length === 0 ? 1 : high === low ? low + 1 : high,
      calculable: true,
      left: 16,
      bottom: 12,
      itemHeight: 120,
      text: [figure.title, ''],
      textStyle: { color: theme.text, fontSize: 11 },
      formatter: (value: unknown) => shortDateWriter(locale, figure.format.suffix)(Number(value)),
      inRange: { color: theme.scale },
      outOfRange: { color: theme.none },
    },
    series: [
      {
        type: 'map' as const,
        map: mapName,
        aspectScale: 1,
        // Otherwise the shapes would be stretched to fill the area.
        preserveAspect: 'contain' as const,
        top: 16,
        bottom: 24,
        left: 96,
        right: 24,
        roam: false,
        selectedMode: false as const,
        label: { show: false },
        itemStyle: { areaColor: theme.none, borderColor: theme.isHighContrast ? theme.text : theme.quietText },
        emphasis: {
          label: { show: false },
          itemStyle: { areaColor: theme.series[1] ?? theme.text, color: textOn(theme.series[1] ?? theme.text) },
        },
        data: values,
      },
    ],
  };
}

/** The range of a zoom, which ECharts reports alone or as a batch of one for each of its controls. */
function percentsOf(zoom: unknown): { start?: number; end?: number } {
  const given: Record<string, unknown> = typeof zoom === 'object' && zoom !== null ? { ...zoom } : {};
  if (Array.isArray(given.batch)) return percentsOf(given.batch[0]);
  const { start, end } = given;
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : {};
}

/** Reads the theme from the CSS variables that VS Code provides for webviews. */
function readTheme(): ChartTheme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--vscode-${name}`).trim();
  return themeOf(read, document.body.classList.contains('vscode-high-contrast'));
}

/** Calls `changed` after the editor's theme has changed. */
function onThemeChange(changed: () => void): { dispose(): void } {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return { dispose: () => observer.disconnect() };
}
