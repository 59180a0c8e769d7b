import type { CellRectangle, ColumnProfile, SelectionFigures } from '../../../contract/pages/resultCells.ts';
import type { Chart, OutputKind } from '../../../contract/pages/chartFigure.ts';
import type { CellLocale } from './format/cellFormat.ts';
import { buildChart } from '../charts/buildChart.ts';
import type { ChartWords } from '../charts/chartGround.ts';
import { ProfileCache } from './figures/columnProfile.ts';
import { selectionFigures } from './figures/selectionFigures.ts';
import type { ShownView, TypeName } from './shownView.ts';

/** What is worked out of the view that a screen shows: its chart, figures of a selection, profiles of columns. */
export class ScreenFigures {
  #charting = new AbortController();
  #counting = new AbortController();
  readonly #profiles = new ProfileCache();

  /** The chart of what is shown; null when another one was asked for meanwhile. */
  async chart({ view }: ShownView, output: OutputKind, words: ChartWords): Promise<Chart | null> {
    this.#charting.abort();
    this.#charting = new AbortController();
    const { signal } = this.#charting;
    return unlessAborted(signal, () => buildChart(output, view, words, signal));
  }

  /** Figures of a rectangle of what is shown; null when others were asked for meanwhile. */
  async selection(shown: ShownView, selected: CellRectangle, locale: CellLocale): Promise<SelectionFigures | null> {
    this.#counting.abort();
    this.#counting = new AbortController();
    const { signal } = this.#counting;
    return unlessAborted(signal, async () => {
      const { view, rows, columns } = await shown.counted(selected, locale, signal);
      return selectionFigures(view, rows, columns, signal);
    });
  }

  /** How a column's values are distributed over the rows of the result; kept until they are arranged anew or more come. */
  async profile(
    shownView: ShownView,
    column: number,
    typeName: TypeName,
    signal: AbortSignal,
  ): Promise<ColumnProfile | null> {
    const { view } = shownView;
    const ofResult = shownView.ofResult(column) ?? -1;
    const shown = view.columns[ofResult];
    if (shown === undefined) return null;
    return unlessAborted(signal, async () => ({
      ...(await this.#profiles.of(view, ofResult, signal)),
      column,
      title: shown.source.header,
      typeName: typeName(shown.source),
    }));
  }

  dispose(): void {
    this.#charting.abort();
    this.#counting.abort();
  }
}

async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
