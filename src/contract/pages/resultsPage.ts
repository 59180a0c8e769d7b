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
import type { ResultsStrings } from './resultsStrings.ts';

/** How a column's cells are laid out and whether they can be followed. */
export type CellKind = 'text' | 'number' | 'moment' | 'link' | 'drill';

/** A column of the grid. Its place among the result's columns is what `column` means in every message. */
export interface GridColumn {
  /** What names the column, whatever its number and title; different for each. */
  key: string;
  title: string;
  kind: CellKind;
  /** Column of the result whose cells it shows, for its filter and distribution; null where several make it. */
  ofResult: number | null;
  /** Whether a click on one of its cells opens another report for the row. */
  leadsOn: boolean;
  /** Type of the column in words, for its tooltip. */
  typeName: string;
  /** Width in pixels that suits title and kind. */
  width: number;
  /** What the server wants it to be wide at least. */
  leastWidth?: number;
}

/** One level of sorting. */
export interface SortKey {
  column: number;
  isDescending: boolean;
}

/** How the lines of a pivot are ordered: by one of its own columns, named by key as their numbers follow the rows. */
export interface LineSort {
  key: string;
  isDescending: boolean;
}

/** How the rows are ordered and which of them are shown, by columns of the result. `filters` is keyed by column. */
export interface Arrangement {
  sort: SortKey[];
  /** How the lines of a pivot are ordered; as their rows where it is absent. */
  lines?: LineSort | undefined;
  filters: Record<number, string>;
  /** Text that some cell of a shown row contains. */
  search: string;
}

/**
 * What the grid shows. A view is one arrangement of one run's rows; a new number means that every row may have moved.
 * `rows` counts those of the view, `totalRows` all that came.
 */
export interface GridShape {
  view: number;
  /** Views with the same number show the same rows of the result, in whatever order. */
  rowSet: number;
  columns: GridColumn[];
  rows: number;
  totalRows: number;
  arrangement: Arrangement;
  /** Whether the rows are made from those of the result: a pivot, or groups. */
  isDerived: boolean;
  /** Rows of the result that such rows are made from, where a filter leaves some out. */
  filteredRows?: number | undefined;
  /** What the reader should know of how they were made. */
  notes: readonly string[];
  /** The first rows, sent along so that they need not be asked for. */
  first: RowWindow;
}

/** How far the rows of a run have come. */
export interface Progress {
  rows: number;
  bytes: number;
  elapsedMs: number;
}

/** What a failed run was about; decides picture and next step. */
export type FailureKind = 'signedOut' | 'takenOver' | 'noPermission' | 'unreachable' | 'refused' | 'other';

/** Why there is no result, and what can be done. */
export interface Failure {
  kind: FailureKind;
  /** What happened, to what and where: one sentence. */
  title: string;
  /** The cause as the server or the network gave it. */
  cause: string;
  /** What to do about it. */
  remedy: string;
}

/** A complete run. Times are the server's own, in milliseconds; undefined where it sent none. */
interface DonePhase {
  kind: 'done';
  progress: Progress;
  serverMs?: number;
  databaseMs?: number;
  isCached: boolean;
  /** Whether the report's own row limit cut the rows off. */
  isLimited: boolean;
  /** What the user should know of the rows, if anything. */
  notice: string;
}

/** Where a run stands. */
export type RunPhase =
  /** The report and its prompts are being read. */
  | { kind: 'preparing' }
  /** The form is open and nothing has run yet. */
  | { kind: 'asking' }
  /** Sent; no row has come yet. */
  | { kind: 'waiting' }
  | { kind: 'streaming'; progress: Progress }
  | DonePhase
  /** Stopped by the user; the rows that had come are kept. */
  | { kind: 'cancelled'; progress: Progress }
  /** `progress.rows` tells whether some rows came before it failed. */
  | { kind: 'failed'; progress: Progress; failure: Failure }
  /** Brought back after the window was reloaded: everything but the rows. */
  | { kind: 'restored' };

/** One prompt and its value as shown above the grid. */
export interface PromptChip {
  label: string;
  text: string;
}

/** A kind of rows: the text of all of them in column 0, and how many there are. */
export interface RowKind {
  text: string;
  rows: number;
}

/** Everything about a run but its rows and its form. Replaced whole. */
export interface ResultsState {
  /** What names the report among those that the panel shows. */
  reportId: string;
  title: string;
  /** Reports on the way here by drilling down, this one last; just this one at the top. */
  trail: string[];
  /** Connection's name and signed-in user; the panel stays bound to them. */
  server: string;
  user: string;
  hasPrompts: boolean;
  /** How the report wants to be shown besides as a table, if at all. */
  output: OutputKind | null;
  /** Whether the table is shown in its place. */
  isTable: boolean;
  chips: PromptChip[];
  phase: RunPhase;
  /** Whether the rows were made here, so that there is nothing to run or to ask the server for. */
  isMadeHere?: boolean;
  /** What column 0 tells rows apart by, where that is worth buttons of its own. */
  rowKinds?: readonly RowKind[];
}

/** What a page needs to draw itself from nothing. */
export interface ResultsSnapshot {
  strings: ResultsStrings;
  state: ResultsState;
  grid: GridShape | null;
  form: PromptForm | null;
  /** What to keep across reloads of the window; opaque to the page. */
  keepsake: unknown;
}

/** The results page. */
export interface ResultsContract {
  requests: {
    /** The page has loaded. */
    ready: { params: null; answer: ResultsSnapshot };
    /** Run again with the values last used; also the answer to a failure. */
    run: { params: null; answer: null };
    /** Ask how to run, and run so. */
    runOptions: { params: null; answer: null };
    cancel: { params: null; answer: null };
    /** Open the report that a row leads to, in this panel. */
    drill: { params: { view: number; row: number; column: number }; answer: null };
    /** Back to a report on the trail, whose rows are still there; 0 is the first. */
    back: { params: { level: number }; answer: null };
    signIn: { params: null; answer: null };
    showSql: { params: null; answer: null };
    openPrompts: { params: null; answer: null };
    /** Close the form; closes the panel where there is nothing behind it. */
    closePrompts: { params: null; answer: null };
    /** Check the values and run; answers what is wrong with them, or nothing. */
    submitPrompts: { params: PromptValue[]; answer: PromptProblem[] };
    /** The values kept under a name; null when there are none any more. */
    choosePreset: { params: { name: string }; answer: PromptValue[] | null };
    /** Ask for a name and keep the values under it; answers null when the user gives none. */
    savePreset: { params: { values: PromptValue[]; name: string }; answer: PromptPresets | null };
    /** Forget a name, after asking; answers null when the user does not want to. */
    removePreset: { params: { name: string }; answer: PromptPresets | null };
    promptChoices: { params: { index: number; search: string }; answer: PromptChoices };
    /** Rows of a view; null when that view is gone. */
    rows: { params: { view: number; start: number; count: number }; answer: RowWindow | null };
    /** Show the table, or what the report's output type asks for; a `grid` event may follow. */
    present: { params: { isTable: boolean }; answer: null };
    /** The chart of a view; null when that view is gone or another chart of it was asked for since. */
    chart: { params: { view: number }; answer: Chart | null };
    /** Shapes of the map's regions: TopoJSON whose `states` carry `code` and `name`; null where there are none. */
    mapShapes: { params: null; answer: Uint8Array | null };
    /** Save a picture of the chart where the user says; answers false when the user did not. */
    savePicture: { params: { format: 'png' | 'svg'; bytes: Uint8Array }; answer: boolean };
    /** Answers what is wrong with a column's filter, keyed by column; a `grid` event follows when nothing is. */
    arrange: { params: Arrangement; answer: Record<number, string> };
    /** Put cells on the clipboard, tab-separated; answers how many, or null when the view is gone. */
    copy: { params: CopyParams; answer: number | null };
    /** Ask for a form and put cells on the clipboard in it; answers how many, or null when nothing was copied. */
    copyAs: { params: CopyParams; answer: number | null };
    /** Figures of a rectangle of cells; null when the view is gone, or others were asked for since. */
    figures: { params: CellRectangle; answer: SelectionFigures | null };
    /** The next cell that contains a text; null where there is none, or the view is gone. */
    find: { params: FindParams; answer: FoundCell | null };
    /** How a column's values are distributed over the rows of the result that are shown; null when the view is gone. */
    profile: { params: { view: number; column: number }; answer: ColumnProfile | null };
    /** The whole text of a cell; null when the view is gone. */
    cell: { params: { view: number; row: number; column: number }; answer: CellDetail | null };
    /** Ask for a format and a file, and write the rows there, with the columns named, or all; a `takePicture` event may follow instead. */
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
    /** The user wants a picture of the chart. */
    takePicture: 'png' | 'svg';
  };
}
