import type { PromptForm, PromptProblem, PromptValue } from '../../../../contract/pages/promptForm.ts';
import type { ColumnProfile, SelectionFigures } from '../../../../contract/pages/resultCells.ts';
import { sealKept } from '../../../../contract/pages/keptState.ts';
import type { Arrangement, ResultsContract } from '../../../../contract/pages/resultsPage.ts';
import type { DataGrid } from '../../../../webview/grid/dataGrid.ts';
import type { ChartDrawing } from '../../../../webview/charts/chartDrawing.ts';
import type { StoredLayout } from '../../../../webview/grid/columns/columnLayout.ts';
import type { PresetCalls } from '../../../../webview/prompts/PresetBar.tsx';
import { HostLink } from '../../../../webview/shared/hostLink.ts';
import { say } from '../../../../webview/shared/liveRegion.ts';
import { announcements } from './announcements.ts';
import { PendingViewState } from './arrangement.ts';
import { ChartFeed, SelectionFeed, type SelectedCells } from './feeds.ts';
import { GridFind } from './gridFind.ts';
import { layoutFor, withLayout, isKept, type Kept } from './keyedLayout.ts';
import { firstView, withGrid, type PageView } from './pageView.ts';
import * as l10n from '../../../../l10n/l10n.ts';
import { combinedColumnText } from '../../../../webview/grid/gridModel.ts';

/** A request without parameters and answer. */
type SimpleRequest =
  | 'run'
  | 'runOptions'
  | 'cancel'
  | 'signIn'
  | 'changePassword'
  | 'showSql'
  | 'openPrompts'
  | 'closePrompts';

/** Model of the page: holds the host's latest data and sends the user's requests. */
export class PageModel {
  readonly link: HostLink<ResultsContract>;
  /** The displayed chart, for saving pictures. */
  picture: Pick<ChartDrawing, 'png' | 'svg'> | undefined;
  readonly find = new GridFind(
    (step) => this.#request((view) => this.link.request('find', { view, ...step })),
    (find) => this.#change({ find }),
  );
  readonly #charts: ChartFeed;
  readonly #selection = new SelectionFeed(
    (cells) => this.#figures(cells),
    (figures) => this.#change({ figures }),
  );
  #view: PageView | undefined;
  #kept: Kept;
  #hasFilterWish = false;
  /** Cells that were drilled down from, by level of the trail. */
  readonly #drilled = new Map<number, { row: number; place: number }>();
  /** The level whose cell is active again once its rows are shown. */
  #returnsTo: number | undefined;
  #listener: () => void = () => undefined;
  #growth: (rows: number) => void = () => undefined;
  readonly #arrangement = new PendingViewState((wanted) => this.#arrange(wanted));

  constructor() {
    this.link = new HostLink<ResultsContract>({
      state: (state) => {
        this.#change(state.phase.kind === this.#view?.state.phase.kind ? { state } : { state, remark: '' });
        if (state.phase.kind !== 'streaming') this.#charts.refresh();
      },
      grid: (grid) => {
        const isAsked = this.#arrangement.wanted !== undefined;
        if (this.#view !== undefined) this.#change(withGrid(this.#view, grid, isAsked));
      },
      growth: ({ view, rows, totalRows }) => this.#grow(view, rows, totalRows),
      form: (form) => {
        this.#keep({ draft: undefined });
        this.#change({ form });
      },
      keepsake: (keepsake) => this.#keep({ keepsake }),
      takePicture: (format) => void this.savePicture(format),
    });
    const ask = async (view: number) => (await this.#report(this.link.request('chart', { view }))) ?? null;
    this.#charts = new ChartFeed(ask, (chart) => this.#change({ chart }));
    const kept = this.link.kept;
    this.#kept = isKept(kept) ? kept : { keepsake: undefined };
  }

  /** What to render; undefined until the host has answered. */
  get view(): PageView | undefined {
    return this.#view;
  }

  /** Column layout of the displayed table. */
  get layout(): StoredLayout | undefined {
    const { state, grid } = this.#view ?? {};
    if (state === undefined || grid == null) return undefined;
    return layoutFor(this.#kept.layouts ?? [], state.reportId, grid.columns);
  }

  /** Notifies the host that the page has loaded, and calls `listener` on every change. */
  async open(listener: () => void): Promise<void> {
    this.#listener = listener;
    const snapshot = await this.link.request('ready', null);
    this.#keep({ keepsake: snapshot.keepsake });
    this.#view = firstView(snapshot);
    for (const text of announcements(undefined, this.#view)) say(text);
    listener();
  }

  /** Calls `listener` when the displayed view has more rows. */
  onGrowth(listener: (rows: number) => void): void {
    this.#growth = listener;
  }

  /** Sends a request without an answer. A failure is shown in the footer. */
  do(name: SimpleRequest): void {
    void this.#report(this.link.request(name, null));
  }

  /** Runs with the values of the form. Returns the problems found. */
  async submit(values: PromptValue[]): Promise<PromptProblem[]> {
    return (await this.#report(this.link.request('submitPrompts', values))) ?? [];
  }

  /** Requests of the form about presets. */
  readonly presets: PresetCalls = {
    choose: (name) => this.#report(this.link.request('choosePreset', { name })),
    save: (values, name) => this.#report(this.link.request('savePreset', { values, name })),
    remove: (name) => this.#report(this.link.request('removePreset', { name })),
  };

  /** Form input from before the page was hidden, if it fits `form`. */
  draftFor(form: PromptForm): PromptValue[] | undefined {
    const { draft } = this.#kept;
    return draft?.form === form.number ? draft.values : undefined;
  }

  keepDraft(form: PromptForm, values: PromptValue[]): void {
    this.#keep({ draft: { form: form.number, values } });
  }

  /** Shows the table, or the view of the report's output type. */
  present(isTable: boolean): void {
    void this.#report(this.link.request('present', { isTable }));
  }

  /** Keeps the chart of a view up to date; undefined for none. */
  wantChart(view: number | undefined): void {
    this.#charts.show(view);
  }

  /** Saves a picture of the chart to a location that the user picks. */
  async savePicture(format: 'png' | 'svg'): Promise<void> {
    const { picture } = this;
    if (picture === undefined) return;
    const isSaved = await this.#report(this.#takePicture(picture, format));
    if (isSaved === true) this.#change({ remark: l10n.t('Saved') });
  }

  /** Opens the report that a cell links to. */
  drill(row: number, column: number): void {
    const view = this.#view?.grid?.view;
    if (view === undefined) return;
    const { row: from = row, place = 0 } = this.find.grid?.place ?? {};
    this.#drilled.set((this.#view?.state.trail.length ?? 1) - 1, { row: from, place });
    void this.#report(this.link.request('drill', { view, row, column }));
  }

  /** Returns to a report on the trail. */
  back(level: number): void {
    this.#returnsTo = level;
    void this.#report(this.link.request('back', { level }));
  }

  /** The grid shows another view: after a return, the cell that was drilled down from is active again. */
  gridShown(grid: Pick<DataGrid, 'goTo'>): void {
    const level = (this.#view?.state.trail.length ?? 0) - 1;
    const cell = this.#drilled.get(level);
    if (this.#returnsTo !== level || cell === undefined) return;
    this.#returnsTo = undefined;
    grid.goTo(cell.row, cell.place);
  }

  openLink(row: number, column: number): void {
    const view = this.#view?.grid?.view;
    if (view !== undefined) void this.#report(this.link.request('openLink', { view, row, column }));
  }

  async copy(firstRow: number, lastRow: number, columns: number[], withHeaders: boolean): Promise<void> {
    const view = this.#view?.grid?.view;
    if (view === undefined) return;
    const count = await this.#report(this.link.request('copy', { view, firstRow, lastRow, columns, withHeaders }));
    if (count != null) this.#change({ remark: l10n.t('Copied') });
  }

  /** The current or pending arrangement. */
  get arrangement(): Arrangement {
    return this.#arrangement.wanted ?? this.#view?.grid?.arrangement ?? { sort: [], filters: {}, search: '' };
  }

  /** Requests another arrangement. */
  arrange(change: Partial<Arrangement>): void {
    this.#arrangement.change({ ...this.arrangement, ...change });
    this.#change({});
  }

  showFilterRow(isFilterRowShown: boolean): void {
    this.#hasFilterWish = isFilterRowShown;
    this.#change({ isFilterRowShown });
    if (!isFilterRowShown && Object.keys(this.arrangement.filters).length > 0) this.arrange({ filters: {} });
  }

  /** Whether the user has just opened the filters and wants to type. Returns true only once. */
  takeFilterWish(): boolean {
    const hasWish = this.#hasFilterWish;
    this.#hasFilterWish = false;
    return hasWish;
  }

  /** Sets the selected cells. Their figures are requested once the selection is stable. */
  select(selectedCells: number, cells: SelectedCells | undefined): void {
    const isOther = this.#view?.selectedCells !== selectedCells || !this.#selection.holds(cells);
    this.#selection.select(selectedCells, cells);
    if (isOther) this.#change({ selectedCells, figures: undefined, remark: '' });
  }

  /** Copies the given or selected cells in a format that the user picks. */
  async copyAs(cells = this.#selection.cells): Promise<void> {
    const view = this.#view?.grid?.view;
    if (view === undefined || cells === undefined) return;
    const { firstRow, lastRow, columns } = cells;
    const params = { view, firstRow, lastRow, columns, withHeaders: false };
    const count = await this.#report(this.link.request('copyAs', params));
    if (count != null) this.#change({ remark: l10n.t('Copied') });
  }

  /** Shows the full contents of a cell. */
  async openCell(row: number, column: number): Promise<void> {
    const view = this.#view?.grid?.view;
    if (view === undefined) return;
    const cell = await this.#report(this.link.request('cell', { view, row, column }));
    if (cell != null) this.#change({ cell, profile: undefined });
  }

  /** Distribution of a column's values in the displayed view. */
  async profile(view: number, column: number): Promise<ColumnProfile | null | undefined> {
    return this.#report(this.link.request('profile', { view, column }));
  }

  /** Shows the distribution of a column's values. */
  async openProfile(column: number): Promise<void> {
    const { grid } = this.#view ?? {};
    if (grid == null) return;
    if (grid.columns[column]?.ofResult == null)
      return this.#change({
        remark: combinedColumnText(),
      });
    const profile = await this.profile(grid.view, column);
    if (profile != null) this.#change({ profile, cell: undefined });
  }

  /** Closes the side pane. */
  closeSide(): void {
    this.#change({ cell: undefined, profile: undefined });
  }

  /** Exports what is shown to a file that the user picks. */
  exportRows(): void {
    const { order, hidden = [] } = this.layout ?? {};
    // The columns of a pivot or of groups differ from those of the rows.
    const columns = this.#view?.grid?.isDerived === true ? undefined : order?.filter((each) => !hidden.includes(each));
    const params = { hasPicture: this.picture !== undefined, ...(columns && { columns }) };
    void this.#report(this.link.request('exportRows', params));
  }

  /** Saves the column layout of the table. That of a pivot depends on its rows and is not saved. */
  keepLayout(layout: StoredLayout): void {
    const { state, grid } = this.#view ?? {};
    if (state === undefined || grid == null || grid.isDerived) return;
    this.#keep({ layouts: withLayout(this.#kept.layouts ?? [], state.reportId, grid.columns, layout) });
  }

  #figures({ firstRow, lastRow, columns }: SelectedCells): Promise<SelectionFigures | null | undefined> {
    return this.#request((view) => this.link.request('figures', { view, firstRow, lastRow, columns }));
  }

  async #takePicture(picture: Pick<ChartDrawing, 'png' | 'svg'>, format: 'png' | 'svg'): Promise<boolean> {
    const bytes = format === 'png' ? await picture.png() : picture.svg();
    return this.link.request('savePicture', { format, bytes });
  }

  async #arrange(wanted: Arrangement): Promise<void> {
    const filterProblems = await this.#report(this.link.request('arrange', wanted));
    if (filterProblems !== undefined) this.#change({ filterProblems });
  }

  /** Sends a request about the displayed view; undefined if there is none or the request fails. */
  async #request<T>(ask: (view: number) => Promise<T>): Promise<T | undefined> {
    const view = this.#view?.grid?.view;
    return view === undefined ? undefined : this.#report(ask(view));
  }

  /** Waits for an answer. A failure is shown as a remark and returns `undefined`. */
  async #report<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      this.#change({ remark: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }

  #grow(view: number, rows: number, totalRows: number): void {
    const grid = this.#view?.grid;
    if (grid == null || grid.view !== view) return;
    this.#change({ grid: { ...grid, rows, totalRows } });
    this.#growth(rows);
    this.#charts.refresh();
  }

  #change(change: Partial<PageView>): void {
    const before = this.#view;
    if (before === undefined) return;
    this.#view = { ...before, ...change };
    for (const text of announcements(before, this.#view)) say(text);
    // Also the same remark as before, such as for a second copy.
    say(change.remark ?? '');
    this.#listener();
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    this.link.keep(sealKept(this.#kept));
  }
}
