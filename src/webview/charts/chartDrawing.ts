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
import { getMap, init, registerMap, use } from 'echarts/core';
import type { ECharts } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import type { MapValue } from '../../contract/pages/chartFigure.ts';
import { axesOption } from './axesOption.ts';
import type { DrawingContext, DrawnFigure } from './drawing.ts';
import { mapOption } from './mapOption.ts';
import { gaugeOption, pieOption, treeOption } from './partsOption.ts';
import { RegionMap } from './regionMap.ts';
import { onThemeChange, readTheme } from './theme.ts';

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

/** Words and shapes that a drawing needs from the page. */
export type DrawingWords = Omit<DrawingContext, 'theme'>;

/** A chart in an element of the page. Follows the element's size and the editor's theme. */
export class ChartDrawing {
  readonly #chart: ECharts;
  readonly #place: HTMLElement;
  readonly #observer: ResizeObserver;
  readonly #themes: { dispose(): void };
  #figure: DrawnFigure | undefined;
  #words: DrawingWords | undefined;
  #map: RegionMap | undefined;

  constructor(place: HTMLElement) {
    this.#place = place;
    this.#chart = init(place, null, { renderer: 'canvas' });
    this.#observer = new ResizeObserver(() => this.#fit());
    this.#observer.observe(place);
    this.#themes = onThemeChange(() => this.#draw());
  }

  /** Draws a figure in the place of the one before. */
  show(figure: DrawnFigure, words: DrawingWords): void {
    this.#figure = figure;
    this.#words = words;
    this.#draw();
  }

  /** Takes the shapes of the map; a map is drawn only once it has them. @throws Error when they cannot be read. */
  takeShapes(bytes: Uint8Array): void {
    this.#map = new RegionMap(bytes);
    if (getMap(mapName) == null) registerMap(mapName, { geoJSON: this.#map.regions as never, specialAreas: {} });
  }

  /** Whether the shapes of the map are here. */
  get hasShapes(): boolean {
    return this.#map !== undefined;
  }

  /** The names among these that no region of the map has. */
  unknownRegions(names: readonly string[]): string[] {
    return names.filter((name) => this.#map?.find(name) === undefined);
  }

  /** The names of each region that has several among these. */
  joinedRegions(values: readonly MapValue[]): string[][] {
    return (this.#map?.valuesOf(values) ?? []).map(({ sentAs }) => sentAs).filter(({ length }) => length > 1);
  }

  /** The chart as a PNG of twice the size it has on the screen. */
  async png(): Promise<Uint8Array> {
    const { background } = readTheme();
    const canvas = this.#chart.renderToCanvas({ pixelRatio: pictureScale, backgroundColor: background });
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob === null) throw new Error('The browser could not make a picture of the chart.');
    return new Uint8Array(await blob.arrayBuffer());
  }

  /** The chart as SVG text in UTF-8, drawn anew without an element of the page. */
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
    if (option !== undefined) this.#chart.setOption(option as never, { notMerge: true });
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
