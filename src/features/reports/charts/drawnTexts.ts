import type { ChartFigure, TreePart } from '../../../contract/pages/chartFigure.ts';

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
/** What turns the direction of the text behind it, and what no XML and no UTF-8 holds. */
const undrawable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const allUndrawable = new RegExp(undrawable, 'gu');

/** Text of a server as a picture may have it: in one line, written forth, and such that a saved picture can be read again. */
export function drawnText(text: string): string {
  if (!undrawable.test(text) && !/[\u2028\u2029]/.test(text)) return text;
  return text.replace(lineBreak, '↵').replaceAll('\t', ' ').replace(allUndrawable, '');
}

/** A figure with texts as a picture may have them; what is told apart by its name has a name of its own. */
export function withDrawnTexts(figure: ChartFigure): ChartFigure {
  switch (figure.kind) {
    case 'axes': {
      const { title, labels } = figure.category;
      const names = differentNames(figure.series.map(({ name }) => drawnText(name)));
      return {
        ...figure,
        category: { title: drawnText(title), labels: labels.map(drawnText) },
        series: figure.series.map((one, index) => ({ ...one, name: names[index] ?? one.name })),
      };
    }
    case 'pie': {
      const names = differentNames(figure.slices.map(({ name }) => drawnText(name)));
      const slices = figure.slices.map((slice, index) => ({ ...slice, name: names[index] ?? slice.name }));
      return { ...figure, title: drawnText(figure.title), slices };
    }
    case 'tree':
      return { ...figure, title: drawnText(figure.title), parts: figure.parts.map(drawnPart) };
    case 'map': {
      const regions = figure.regions.map((region) => ({ ...region, name: drawnText(region.name) }));
      return { ...figure, title: drawnText(figure.title), regions };
    }
    case 'gauge':
      return { ...figure, label: drawnText(figure.label), text: drawnText(figure.text) };
    default:
      return figure;
  }
}

function drawnPart({ name, value, parts }: TreePart): TreePart {
  return { name: drawnText(name), value, parts: parts.map(drawnPart) };
}

/** What has the same name would have the same colour, and one entry in the legend. */
function differentNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let more = 2; taken.has(own); more++) own = `${name} (${more})`;
    taken.add(own);
    return own;
  });
}
