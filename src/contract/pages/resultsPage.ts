import type { Chart, OutputKind } from './chartFigure.ts';
import type { PromptChoices, PromptForm, PromptPresets, PromptProblem, PromptValue } from './promptForm.ts';
import type {
  CellDetail,
  CellRectangle,
  ColumnProfile,
  CopyParams,
  FindParams,
  FoundCell,
  SelectionFigures,
  RowWindow,
} from './resultCells.ts';

/** How a column's cells are aligned and whether they are links. */
export type CellKind = 'text' | 'number' | 'moment' | 'link' | 'drill';

/** A column of the grid. In every message, `column` is its index among the result's columns. */
export interface GridColumn {
  /** Identifies the column, whatever its index and title; unique. */
  key: string;
  title: string;
  kind: CellKind;
  /** Column of the result that its cells show, for its filter and distribution; null when it combines several. */
  ofResult: number | null;
  /** Whether a click on one of its cells opens another report for the row. */
  leadsOn: boolean;
  /** Label of the column's type, for its tooltip. */
  typeName: string;
  /** Name of the time zone that its cells are shown in, if they depend on one. */
  zone?: string;
  /** Width in pixels that fits title and kind. */
  width: number;
  /** Minimum width that the server requests. */
  leastWidth?: number;
}

/** One level of sorting. */
export interface SortKey {
  column: number;
  isDescending: boolean;
}

/** Order of a pivot's rows: by one of its own columns, identified by key because their indexes depend on the data. */
export interface LineSort {
  key: string;
  isDescending: boolean;
}

/** Sort order and filters, by columns of the result. `filters` is keyed by column. */
export interface Arrangement {
  sort: SortKey[];
  /** Order of a pivot's rows; the original order if omitted. */
  lines?: LineSort | undefined;
  filters: Record<number, string>;
  /** Text that a cell of each shown row contains. */
  search: string;
}

/**
 * The content of the grid. A view is one sort order and filter of one run's rows; a new number means that every row may
 * have moved. `rows` counts the view's rows, `totalRows` all rows received.
 */
export interface GridShape {
  view: number;
  /** Views with the same number show the same rows of the result, in any order. */
  rowSet: number;
  columns: GridColumn[];
  rows: number;
  totalRows: number;
  arrangement: Arrangement;
  /** Whether the rows are derived from those of the result: a pivot, or groups. */
  isDerived: boolean;
  /** Names of the reports that cells with a drill-down open; absent if unknown. */
  opens?: string;
  /** Number of result rows that derived rows are made from, if a filter excludes some. */
  filteredRows?: number | undefined;
  /** Notes for the reader on how they were derived. */
  notes: readonly string[];
  /** The first rows, included so that the page need not request them. */
  first: RowWindow;
}

/** Progress of loading the rows of a run. */
export interface Progress {
  rows: number;
  bytes: number;
  elapsedMs: number;
}

/** Cause of a failed run; determines image and next step. */
export type FailureKind =
  | 'signedOut'
  | 'takenOver'
  | 'newPassword'
  | 'noPermission'
  | 'unreachable'
  | 'refused'
  | 'other';

/** Why there is no result, and what to do about it. */
export interface Failure {
  kind: FailureKind;
  /** What happened, to which object and where: one sentence. */
  title: string;
  /** The cause as reported by the server or the network. */
  cause: string;
  /** How to fix it. */
  remedy: string;
}

/** A completed run. Times are the server's own, in milliseconds; undefined if it sent none. */
interface DonePhase {
  kind: 'done';
  progress: Progress;
  serverMs?: number;
  databaseMs?: number;
  isCached: boolean;
  /** Whether the report's own row limit was reached. */
  isLimited: boolean;
  /** Note for the user about the rows; may be empty. */
  notice: string;
}

/** State of a run. */
export type RunPhase =
  /** The report and its prompts are being read. */
  | { kind: 'preparing' }
  /** The form is open and nothing has run yet. */
  | { kind: 'asking' }
  /** Sent; no row received yet. */
  | { kind: 'waiting' }
  | { kind: 'streaming'; progress: Progress }
  | DonePhase
  /** Cancelled by the user; the rows received so far are kept. */
  | { kind: 'cancelled'; progress: Progress }
  /** `progress.rows` tells whether rows were received before the failure. */
  | { kind: 'failed'; progress: Progress; failure: Failure }
  /** Restored after the window was reloaded: everything except the rows. */
  | { kind: 'restored' };

/** One prompt and its value, shown above the grid. */
export interface PromptChip {
  label: string;
  text: string;
}

/** A kind of rows: their common text in column 0, and their number. */
export interface RowKind {
  text: string;
  rows: number;
}

/** State of a run except its rows and its form. Always replaced as a whole. */
export interface ResultsState {
  /** Identifies the report among those of the panel. */
  reportId: string;
  title: string;
  /** Names of the reports of the drill-down path, ending with this one; only this one at the top. */
  trail: string[];
  /** Name of the connection and signed-in user; the panel is bound to them. */
  server: string;
  user: string;
  hasPrompts: boolean;
  /** How the report requests to be shown in addition to the table, if at all. */
  output: OutputKind | null;
  /** Whether the table is shown instead. */
  isTable: boolean;
  chips: PromptChip[];
  phase: RunPhase;
  /** Whether the rows were created here, so that there is nothing to run or to request from the server. */
  isMadeHere?: boolean;
  /** Whether the rows have no SQL to show. */
  hasNoSql?: true;
  /** Kinds of rows in column 0, if they are worth buttons of their own. */
  rowKinds?: readonly RowKind[];
}

/** Everything that a page needs to draw its initial state. */
export interface ResultsSnapshot {
  state: ResultsState;
  grid: GridShape | null;
  form: PromptForm | null;
  /** State to save across reloads of the window; opaque to the page. */
  keepsake: unknown;
}

/** The results page. */
export interface ResultsContract {
  requests: {
    /** The page has loaded. */
    ready: { params: null; answer: ResultsSnapshot };
    /** Runs again with the last values; also retries after a failure. */
    run: { params: null; answer: null };
    /** Asks how to run, and runs that way. */
    runOptions: { params: null; answer: null };
    cancel: { params: null; answer: null };
    /** Opens the report that a row links to, in this panel. */
    drill: { params: { view: number; row: number; column: number }; answer: null };
    /** Returns to a report of the drill-down path, whose rows are still there; 0 is the first. */
    back: { params: { level: number }; answer: null };
    signIn: { params: null; answer: null };
    changePassword: { params: null; answer: null };
    showSql: { params: null; answer: null };
    openPrompts: { params: null; answer: null };
    /** Closes the form; closes the panel if there is nothing behind it. */
    closePrompts: { params: null; answer: null };
    /** Validates the values and runs; answers the problems found, if any. */
    submitPrompts: { params: PromptValue[]; answer: PromptProblem[] };
    /** The values saved under a name; null when they no longer exist. */
    choosePreset: { params: { name: string }; answer: PromptValue[] | null };
    /** Asks for a name and saves the values under it; answers null when the user cancels. */
    savePreset: { params: { values: PromptValue[]; name: string }; answer: PromptPresets | null };
    /** Deletes a name after confirmation; answers null when the user cancels. */
    removePreset: { params: { name: string }; answer: PromptPresets | null };
    promptChoices: { params: { index: number; search: string }; answer: PromptChoices };
    /** Rows of a view; null when that view no longer exists. */
    rows: { params: { view: number; start: number; count: number }; answer: RowWindow | null };
    /** Shows the table, or the output type that the report requests; a `grid` event may follow. */
    present: { params: { isTable: boolean }; answer: null };
    /** The chart of a view; null when that view no longer exists or a newer chart of it was requested. */
    chart: { params: { view: number }; answer: Chart | null };
    /** Shapes of the map's regions: TopoJSON whose `states` have `code` and `name`; null when there are none. */
    mapShapes: { params: null; answer: Uint8Array | null };
    /** Saves an image of the chart to a file that the user selects; answers false when the user cancels. */
    savePicture: { params: { format: 'png' | 'svg'; bytes: Uint8Array }; answer: boolean };
    /** Answers the problems of column filters, keyed by column; a `grid` event follows if there are none. */
    arrange: { params: Arrangement; answer: Record<number, string> };
    /** Copies cells to the clipboard, tab-separated; answers their number, or null when the view no longer exists. */
    copy: { params: CopyParams; answer: number | null };
    /** Asks for a format and copies cells to the clipboard; answers their number, or null when nothing was copied. */
    copyAs: { params: CopyParams; answer: number | null };
    /** Figures of a rectangle of cells; null when the view no longer exists, or newer ones were requested. */
    figures: { params: CellRectangle; answer: SelectionFigures | null };
    /** The next cell that contains a text; null when there is none, or the view no longer exists. */
    find: { params: FindParams; answer: FoundCell | null };
    /** Distribution of a column's values over the shown rows of the result; null when the view no longer exists. */
    profile: { params: { view: number; column: number }; answer: ColumnProfile | null };
    /** The full text of a cell; null when the view no longer exists. */
    cell: { params: { view: number; row: number; column: number }; answer: CellDetail | null };
    /**
     * Asks for a format and a file, and exports the rows with the given columns, or all; a `takePicture` event may
     * follow instead.
     */
    exportRows: { params: { hasPicture: boolean; columns?: number[] }; answer: null };
    openLink: { params: { view: number; row: number; column: number }; answer: null };
  };
  events: {
    state: ResultsState;
    grid: GridShape | null;
    /** More rows of the same view. */
    growth: { view: number; rows: number; totalRows: number };
    form: PromptForm | null;
    keepsake: unknown;
    /** Requests an image of the chart. */
    takePicture: 'png' | 'svg';
  };
}
