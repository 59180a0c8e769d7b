import type { PromptForm, PromptProblem, PromptValue } from '../../../../contract/pages/promptForm.ts';
import type { ColumnProfile, SelectionFigures } from '../../../../contract/pages/resultCells.ts';
import type { Arrangement, ResultsContract } from '../../../../contract/pages/resultsPage.ts';
import type { ChartDrawing } from '../../../../webview/charts/chartDrawing.ts';
import type { StoredLayout } from '../../../../webview/grid/columns/columnLayout.ts';
import type { PresetCalls } from '../../../../webview/prompts/PresetBar.tsx';
import { HostLink } from '../../../../webview/shared/hostLink.ts';
import { PendingViewState } from './arrangement.ts';
import { ChartFeed, SelectionFeed, type SelectedCells } from './feeds.ts';
import { GridFind } from './gridFind.ts';
import { layoutFor, withLayout, isKept, type Kept } from './keyedLayout.ts';
import { firstView, withGrid, type PageView } from './pageView.ts';

/** The page's side of everything: holds what the host said last, asks for what the user wants. */
export class PageModel {
  readonly link: HostLink<ResultsContract>;
  /** The chart on the screen, to make pictures of. */
  picture: Pick<ChartDrawing, 'png' | 'svg'> | undefined;
  /** Finds text in the grid. */
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

  /** What to draw; undefined until the host has answered. */
  get view(): PageView | undefined {
    return this.#view;
  }

  /** How the user arranged the columns of the table shown. */
  get layout(): StoredLayout | undefined {
    const { state, grid } = this.#view ?? {};
    if (state === undefined || grid == null) return undefined;
    return layoutFor(this.#kept.layouts ?? [], state.reportId, grid.columns);
  }

  /** Tells the host that the page is here and calls `listener` at every change. */
  async open(listener: () => void): Promise<void> {
    this.#listener = listener;
    const snapshot = await this.link.request('ready', null);
    this.#keep({ keepsake: snapshot.keepsake });
    this.#view = firstView(snapshot);
    listener();
  }

  /** Calls `listener` when more rows of the view shown have come. */
  onGrowth(listener: (rows: number) => void): void {
    this.#growth = listener;
  }

  /** Sends a request that answers nothing; a failure is shown in the footer. */
  do(name: 'run' | 'runOptions' | 'cancel' | 'signIn' | 'showSql' | 'openPrompts' | 'closePrompts'): void {
    void this.#report(this.link.request(name, null));
  }

  /** Runs with the values of the form; answers what is wrong with them. */
  async submit(values: PromptValue[]): Promise<PromptProblem[]> {
    return (await this.#report(this.link.request('submitPrompts', values))) ?? [];
  }

  /** What the form asks about values that are kept under names. */
  readonly presets: PresetCalls = {
    choose: (name) => this.#report(this.link.request('choosePreset', { name })),
    save: (values, name) => this.#report(this.link.request('savePreset', { values, name })),
    remove: (name) => this.#report(this.link.request('removePreset', { name })),
  };

  /** Values that stood in the form when the page was hidden, if they fit `form`. */
  draftFor(form: PromptForm): PromptValue[] | undefined {
    const { draft } = this.#kept;
    return draft?.form === form.number ? draft.values : undefined;
  }

  keepDraft(form: PromptForm, values: PromptValue[]): void {
    this.#keep({ draft: { form: form.number, values } });
  }

  /** Shows the table, or what the report's output type asks for. */
  present(isTable: boolean): void {
    void this.#report(this.link.request('present', { isTable }));
  }

  /** Keeps the chart of a view up to date from now on; undefined for none. */
  wantChart(view: number | undefined): void {
    this.#charts.show(view);
  }

  /** Saves a picture of the chart where the user says. */
  async savePicture(format: 'png' | 'svg'): Promise<void> {
    const { picture } = this;
    if (picture === undefined) return;
    const isSaved = await this.#report(this.#takePicture(picture, format));
    if (isSaved === true) this.#change({ remark: this.#view?.strings.saved ?? '' });
  }

  /** Opens the report that a cell leads to. */
  drill(row: number, column: number): void {
    const view = this.#view?.grid?.view;
    if (view !== undefined) void this.#report(this.link.request('drill', { view, row, column }));
  }

  /** Goes back to a report on the trail. */
  back(level: number): void {
    void this.#report(this.link.request('back', { level }));
  }

  openLink(row: number, column: number): void {
    const view = this.#view?.grid?.view;
    if (view !== undefined) void this.#report(this.link.request('openLink', { view, row, column }));
  }

  async copy(firstRow: number, lastRow: number, columns: number[], withHeaders: boolean): Promise<void> {
    const view = this.#view?.grid?.view;
    if (view === undefined) return;
    const count = await this.#report(this.link.request('copy', { view, firstRow, lastRow, columns, withHeaders }));
    if (count != null) this.#change({ remark: this.#view?.strings.copied ?? '' });
  }

  /** The arrangement wanted: the one shown, or the one that is on its way to the host. */
  get arrangement(): Arrangement {
    return this.#arrangement.wanted ?? this.#view?.grid?.arrangement ?? { sort: [], filters: {}, search: '' };
  }

  /** Asks for another arrangement. */
  arrange(change: Partial<Arrangement>): void {
    this.#arrangement.change({ ...this.arrangement, ...change });
    this.#change({});
  }

  showFilterRow(isFilterRowShown: boolean): void {
    this.#hasFilterWish = isFilterRowShown;
    this.#change({ isFilterRowShown });
    if (!isFilterRowShown && Object.keys(this.arrangement.filters).length > 0) this.arrange({ filters: {} });
  }

  /** Whether the user has just opened the filters, and wants to type there; told once. */
  takeFilterWish(): boolean {
    const hasWish = this.#hasFilterWish;
    this.#hasFilterWish = false;
    return hasWish;
  }

  /** Cells are selected; their figures are asked for when the selection rests. */
  select(selectedCells: number, cells: SelectedCells | undefined): void {
    const isOther = this.#view?.selectedCells !== selectedCells || !this.#selection.holds(cells);
    this.#selection.select(selectedCells, cells);
    if (isOther) this.#change({ selectedCells, figures: undefined, remark: '' });
  }

  /** Copies cells in a form that the user is asked for: those given, else those selected. */
  async copyAs(cells = this.#selection.cells): Promise<void> {
    const view = this.#view?.grid?.view;
    if (view === undefined || cells === undefined) return;
    const { firstRow, lastRow, columns } = cells;
    const params = { view, firstRow, lastRow, columns, withHeaders: false };
    const count = await this.#report(this.link.request('copyAs', params));
    if (count != null) this.#change({ remark: this.#view?.strings.copied ?? '' });
  }

  /** Shows a cell whole. */
  async openCell(row: number, column: number): Promise<void> {
    const view = this.#view?.grid?.view;
    if (view === undefined) return;
    const cell = await this.#report(this.link.request('cell', { view, row, column }));
    if (cell != null) this.#change({ cell, profile: undefined });
  }

  /** How a column's values are distributed, in the view shown. */
  async profile(view: number, column: number): Promise<ColumnProfile | null | undefined> {
    return this.#report(this.link.request('profile', { view, column }));
  }

  /** Shows how a column's values are distributed. */
  async openProfile(column: number): Promise<void> {
    const { grid, strings } = this.#view ?? {};
    if (grid == null) return;
    if (grid.columns[column]?.ofResult == null) return this.#change({ remark: strings?.madeColumn ?? '' });
    const profile = await this.profile(grid.view, column);
    if (profile != null) this.#change({ profile, cell: undefined });
  }

  /** Closes what is shown beside the grid. */
  closeSide(): void {
    this.#change({ cell: undefined, profile: undefined });
  }

  /** Writes what is shown to a file that the user is asked for. */
  exportRows(): void {
    const { order, hidden = [] } = this.layout ?? {};
    // A pivot's or the groups' own columns are others than those of the rows.
    const columns = this.#view?.grid?.isDerived === true ? undefined : order?.filter((each) => !hidden.includes(each));
    const params = { hasPicture: this.picture !== undefined, ...(columns && { columns }) };
    void this.#report(this.link.request('exportRows', params));
  }

  /** Keeps how the columns of the table are arranged; a pivot's depend on its rows. */
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

  /** Asks something about the view shown; undefined where there is none, or it fails. */
  async #request<T>(ask: (view: number) => Promise<T>): Promise<T | undefined> {
    const view = this.#view?.grid?.view;
    return view === undefined ? undefined : this.#report(ask(view));
  }

  /** Waits for an answer; a failure becomes a remark and `undefined`. */
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
    if (this.#view === undefined) return;
    this.#view = { ...this.#view, ...change };
    this.#listener();
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    this.link.keep(this.#kept);
  }
}
