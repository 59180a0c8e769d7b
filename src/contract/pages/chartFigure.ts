/** What a chart shows: figures that the host has added up. The page draws them; it never sees the rows. */

/** How a result is shown besides as a table. API description, Output types. */
export type OutputKind =
  | 'chart'
  | 'chart2'
  | 'kpi'
  | 'gauge'
  | 'pie'
  | 'combo'
  | 'treemap'
  | 'map'
  | 'skyline'
  | 'pivot'
  | 'pivot2'
  | 'groups';

/** Outputs that are shown as a grid of their own, not as a picture. */
export type GridOutput = Extract<OutputKind, 'pivot' | 'pivot2' | 'groups'>;

/** How the numbers of a measure are written. */
export interface MeasureFormat {
  /** Put behind the number, such as `%`. */
  suffix: string;
  minDigits: number;
  maxDigits: number;
}

/** One measure along a category axis; a value is NaN where there is none. */
export interface AxisSeries {
  name: string;
  mark: 'bar' | 'line';
  /** 0 for the axis at the left, 1 for the one at the right. */
  axis: 0 | 1;
  format: MeasureFormat;
  values: Float64Array;
}

/** A rectangle of a tree map; inner ones have parts and no value of their own. */
export interface TreePart {
  name: string;
  value: number;
  parts: TreePart[];
}

/** The value that a map has for a name of a region; several names may mean the same one. */
export interface MapValue {
  name: string;
  value: number;
  /** How many numbers the value is the mean of; 0 where it is their sum. */
  meanOf: number;
}

/** One figure in words. */
interface FigureText {
  label: string;
  text: string;
}

/** Why there is no chart, although the report asks for one. */
export type ChartLack = 'noRows' | 'noMeasure' | 'noNumber' | 'noCategory' | 'noMap';

/** What to draw. */
export type ChartFigure =
  | {
      kind: 'axes';
      category: { title: string; labels: string[] };
      /** Bars of neighbouring categories touch, as houses in a skyline do. */
      isSkyline: boolean;
      isStacked: boolean;
      series: AxisSeries[];
    }
  | { kind: 'pie'; title: string; format: MeasureFormat; slices: { name: string; value: number }[] }
  | { kind: 'tree'; title: string; format: MeasureFormat; parts: TreePart[] }
  | { kind: 'map'; title: string; format: MeasureFormat; regions: MapValue[] }
  | { kind: 'kpi'; figures: FigureText[] }
  | { kind: 'gauge'; label: string; text: string; value: number; low: number; high: number; format: MeasureFormat }
  | { kind: 'none'; lack: ChartLack };

/** A chart of one view, and what the reader should know of how it was made. */
export interface Chart {
  figure: ChartFigure;
  notes: string[];
}
