/** The data of a chart: figures aggregated by the host. The page draws them and never gets the rows. */

/** How a result is shown in addition to a table. API description, Output types. */
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

/** Outputs that are shown as a grid of their own, not as a chart. */
export type GridOutput = Extract<OutputKind, 'pivot' | 'pivot2' | 'groups'>;

/** Number format of a measure. */
export interface MeasureFormat {
  /** Appended to the number, such as `%`. */
  suffix: string;
  minDigits: number;
  maxDigits: number;
}

/** One measure along a category axis; missing values are NaN. */
export interface AxisSeries {
  name: string;
  mark: 'bar' | 'line';
  /** 0 for the left axis, 1 for the right one. */
  axis: 0 | 1;
  format: MeasureFormat;
  values: Float64Array;
}

/** A rectangle of a tree map; inner ones have parts and no value. */
export interface TreePart {
  name: string;
  value: number;
  parts: TreePart[];
}

/** The value for a region name of a map; several names may mean the same region. */
export interface MapValue {
  name: string;
  value: number;
  /** Number of numbers that the value is the mean of; 0 if it is their sum. */
  meanOf: number;
}

/** A figure as text. */
interface FigureText {
  label: string;
  text: string;
}

/** Why there is no chart, although the report requests one. */
export type ChartLack = 'noRows' | 'noMeasure' | 'noNumber' | 'noCategory' | 'noMap';

/** A chart to draw. */
export type ChartFigure =
  | {
      kind: 'axes';
      category: { title: string; labels: string[] };
      /** Whether bars of neighbouring categories touch, as in a skyline chart. */
      isSkyline: boolean;
      isStacked: boolean;
      series: AxisSeries[];
      /** Name of the measure, if the series are the values of a category. */
      measure?: string;
    }
  | { kind: 'pie'; title: string; format: MeasureFormat; slices: { name: string; value: number }[] }
  | { kind: 'tree'; title: string; format: MeasureFormat; parts: TreePart[] }
  | { kind: 'map'; title: string; format: MeasureFormat; regions: MapValue[] }
  | { kind: 'kpi'; figures: FigureText[] }
  | { kind: 'gauge'; label: string; text: string; value: number; low: number; high: number; format: MeasureFormat }
  | { kind: 'none'; lack: ChartLack };

/** A chart of one view, with notes for the reader on how it was made. */
export interface Chart {
  figure: ChartFigure;
  notes: string[];
}
