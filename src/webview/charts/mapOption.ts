import type { ChartFigure } from '../../contract/pages/chartFigure.ts';
import { baseOption, numberWriter, shortWriter, tipText } from './drawing.ts';
import type { DrawingContext } from './drawing.ts';
import type { RegionMap } from './regionMap.ts';
import { readHovered } from './partsOption.ts';
import { textOn } from './colours.ts';

type MapFigure = Extract<ChartFigure, { kind: 'map' }>;

/** Regions coloured by value; `mapName` is the name under which the map is registered. */
export function mapOption(figure: MapFigure, map: RegionMap, mapName: string, context: DrawingContext) {
  const { theme, locale, noData } = context;
  const write = numberWriter(locale, figure.format);
  const values = map.valuesOf(figure.regions).map(({ name, value }) => ({ name, value }));
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
      // A scale of nothing would look like one of values from 0 to 1.
      show: numbers.length > 0,
      min: numbers.length === 0 ? 0 : low,
      max: numbers.length === 0 ? 1 : high === low ? low + 1 : high,
      calculable: true,
      left: 16,
      bottom: 12,
      itemHeight: 120,
      text: [figure.title, ''],
      textStyle: { color: theme.text, fontSize: 11 },
      formatter: (value: unknown) => shortWriter(locale, figure.format.suffix)(Number(value)),
      inRange: { color: theme.scale },
      outOfRange: { color: theme.none },
    },
    series: [
      {
        type: 'map' as const,
        map: mapName,
        aspectScale: 1,
        // The shapes fill their place otherwise, however high or wide it is.
        preserveAspect: 'contain' as const,
        top: 16,
        bottom: 24,
        left: 96,
        right: 24,
        roam: false,
        selectedMode: false as const,
        label: { show: false },
        itemStyle: { areaColor: theme.none, borderColor: theme.isHighContrast ? theme.text : theme.background },
        emphasis: {
          label: { show: false },
          itemStyle: { areaColor: theme.series[1] ?? theme.text, color: textOn(theme.series[1] ?? theme.text) },
        },
        data: values,
      },
    ],
  };
}
