/** A column of the report in the builder. Fields are in display order. */
export interface BuilderField {
  /** Index in the report's `FieldList`. */
  index: number;
  /** Displayed header of the column: the report's own, else its substitute. */
  name: string;
  /** The report's own header; empty if it has none. */
  header: string;
  /** Name of the column in the SQL and in the result's rows. */
  alias: string;
  /** `table.column` of the report type; empty for a formula field. */
  source: string;
  /** Field type code. */
  type: string;
  /** The field only filters and sorts. */
  isHidden: boolean;
  /** The field is a group of the result's grid. */
  isGroup: boolean;
  /** Aggregate in the report's spelling; empty for none. */
  aggregate: string;
  formula: string;
  sort: BuilderSort | null;
  criteria: BuilderCriterion[];
}

/** Sort of a field. Without a priority, it comes after those that have one. */
export interface BuilderSort {
  isDescending: boolean;
  priority: number | null;
}

/** A criteria row that filters. */
export interface BuilderCriterion {
  /** Index in the field's `Criteria`. */
  row: number;
  operator: string;
  value1: string;
  value2: string;
  /** The list values that `value1` contains. */
  list: string[];
  /** Operator before the next row. */
  joiner: 'AND' | 'OR';
  /** Whether it is in parentheses with adjacent rows. */
  isNested: boolean;
  /** Prompts when the report runs. The values are its defaults. */
  isPrompt: boolean;
  isSkipable: boolean;
}

/** A totals row. */
export interface BuilderTotal {
  /** Index in `AdHocFields`. */
  index: number;
  type: string;
  func: string;
  field1: string;
  field2: string;
  value2: string;
  isPercent: boolean;
  hasGrandTotal: boolean;
}

/** A linked report for drill-down. */
export interface BuilderLink {
  /** Index in `linkreports`. */
  index: number;
  reportId: string;
  name: string;
  /** Fields of this report, and the target's fields that receive their values. */
  pairs: { field: string; target: string }[];
}

/** A field of a linked report that can receive a value: its name in the link, and its header. */
export interface TargetChoice {
  value: string;
  label: string;
}

/** The report in the document. */
export interface BuilderReport {
  name: string;
  description: string;
  application: string;
  reportType: string;
  server: string;
  folderId: string;
  outputType: number;
  isDistinct: boolean;
  /** Maximum number of rows; null if the report has no limit. */
  topN: number | null;
  fields: BuilderField[];
  totals: BuilderTotal[];
  links: BuilderLink[];
}

/**
 * State of the document. Edits specify the `version` that they are based on, so that none affects a different field.
 */
export interface BuilderDocument {
  /**
   * Changes when fields, rows or entries are removed, moved or inserted before others, but not when a value changes.
   */
  version: number;
  /** The report, or the last valid one if the text is not a report; null if there has been none. */
  report: BuilderReport | null;
  /** Why the text is invalid; empty if it is valid. */
  problem: string;
}

/** A node of the field tree, in tree order. Its children follow it with a greater depth. */
export interface TreeEntry {
  label: string;
  depth: number;
  isFolder: boolean;
  /** `table.column`; empty for a folder. */
  source: string;
  /** Field type code; empty for a folder. */
  type: string;
}

/** A function for formulas. */
export interface FormulaFunction {
  name: string;
  description: string;
  /** `?` stands for the field. */
  template: string;
}

/** What the report is built from: the report type's fields, and the platform's functions. */
export type BuilderContext =
  | { kind: 'loading' }
  | {
      kind: 'ready';
      tree: TreeEntry[];
      functions: FormulaFunction[];
      outputTypes: { id: number; name: string }[];
      platform: string;
      /** Folders by id, each with its full path. */
      folders: { id: string; name: string }[];
    }
  | { kind: 'failed'; message: string; nextStep: 'retry' | 'signIn' | 'changePassword' | 'chooseServer' };

/** The report's current SQL. */
export interface LiveSqlState {
  /** The latest SQL from the server. Stays while newer SQL is pending or rejected. */
  sql: string;
  /** Whether newer SQL will arrive without a request. */
  isLoading: boolean;
  /** Whether a request to the server is active; false during the delay while typing. */
  isAsked: boolean;
  /** Whether the report has changed since `sql` was generated. */
  isOutdated: boolean;
  /** Why there is no SQL for the current report; empty if there is. */
  problem: string;
  /** Index in `FieldList` of the field that the problem names; null if it names none. */
  problemField: number | null;
}

/** How a field is used: unchanged, as a group of the grid, or with an aggregate. */
export type FieldUse =
  | 'value'
  | 'group'
  | 'SUM'
  | 'AVG'
  | 'MIN'
  | 'MAX'
  | 'COUNT'
  | 'COUNT DISTINCT'
  | 'STDDEV'
  | 'VARIANCE';

/** Editable properties of a criteria row. */
export type CriterionChange = Partial<Omit<BuilderCriterion, 'row'>>;

/** Editable properties of a totals row. */
export type TotalChange = Partial<Omit<BuilderTotal, 'index'>>;

/** Editable properties of a value passed to a linked report. */
export type PairChange = Partial<BuilderLink['pairs'][number]>;

/** An edit of the document that needs nothing from the server. Fields are identified by their index in `FieldList`. */
export type BuilderEdit =
  | { kind: 'setText'; name: 'Reportname' | 'Description'; value: string }
  | { kind: 'setDistinct'; value: boolean }
  | { kind: 'setTopN'; value: number | null }
  | { kind: 'setOutputType'; value: number }
  | { kind: 'renameField'; field: number; value: string }
  | { kind: 'setUse'; field: number; value: FieldUse }
  | { kind: 'setHidden'; field: number; value: boolean }
  | { kind: 'setFormula'; field: number; value: string }
  /** `place` is an index among the displayed fields, without the moved one. */
  | { kind: 'moveField'; field: number; place: number }
  | { kind: 'removeField'; field: number }
  | { kind: 'setCriterion'; field: number; row: number; change: CriterionChange }
  | { kind: 'removeCriterion'; field: number; row: number }
  | { kind: 'moveCriterion'; field: number; row: number; place: number }
  | { kind: 'setTotal'; total: number; change: TotalChange }
  | { kind: 'removeTotal'; total: number }
  /** `place` is an index among the values passed to a linked report. */
  | { kind: 'addPair'; link: number }
  | { kind: 'setPair'; link: number; place: number; change: PairChange }
  | { kind: 'removePair'; link: number; place: number }
  | { kind: 'removeLink'; link: number };

/** The parts of the report, which the middle of the page shows one at a time. */
export type BuilderTab = 'fields' | 'criteria' | 'totals' | 'options';

/** What a page shows of its report, for a page that replaces it. */
export interface BuilderSight {
  tab: BuilderTab;
  /** Search text of the field tree. */
  search: string;
  /** Label of the focused element; empty for none. */
  focus: string;
}

/** Everything that a page needs for its first render. */
interface BuilderSnapshot {
  /** Names of the server and account that the builder uses; empty if none is chosen yet. */
  place: string;
  document: BuilderDocument;
  ground: BuilderContext;
  sql: LiveSqlState;
  /** State of the page that this one replaces; null if it replaces none. */
  sight: BuilderSight | null;
}

/** The builder page. */
export interface BuilderContract {
  requests: {
    /** The page has loaded. */
    ready: { params: null; answer: BuilderSnapshot };
    edit: { params: { version: number; edit: BuilderEdit }; answer: null };
    /** Reports what the page shows. */
    shows: { params: BuilderSight; answer: null };
    /** Inserts fields of the tree before the field displayed at `place`, or appends them. */
    addFields: { params: { version: number; entries: number[]; place: number | null }; answer: null };
    /** Adds a formula field. */
    addFormula: { params: { version: number }; answer: null };
    /** Adds, reverses or removes the sort of a field. */
    sortField: { params: { version: number; field: number; direction: 'asc' | 'desc' | null }; answer: null };
    addCriterion: { params: { version: number; field: number }; answer: null };
    addTotal: { params: { version: number; type: 'total' | 'calc' }; answer: null };
    /** Asks the user for a drill-down target. */
    addLink: { params: { version: number }; answer: null };
    /** Asks the user for the folder to save the report to. */
    pickFolder: { params: null; answer: null };
    /** Values of a field that match the typed text. */
    fieldValues: {
      params: { field: number; search: string };
      answer: { choices: { value: string; label: string }[]; notice: string };
    };
    /** Fields of a drill-down target that can receive values, its prompts first. */
    targetFields: { params: { reportId: string }; answer: TargetChoice[] };
    /** Runs the current report with few rows. */
    preview: { params: null; answer: null };
    showSql: { params: null; answer: null };
    /** Like the keys in other editors, but after all earlier edits. */
    undo: { params: null; answer: null };
    redo: { params: null; answer: null };
    save: { params: null; answer: null };
    openJson: { params: null; answer: null };
    /** Requests the SQL again after a failure. */
    retrySql: { params: null; answer: null };
    /** Reloads the report type's fields. Also retries after a failure. */
    retry: { params: null; answer: null };
    signIn: { params: null; answer: null };
    changePassword: { params: null; answer: null };
    /** Asks the user which server a file on disk belongs to. */
    chooseServer: { params: null; answer: null };
  };
  events: {
    document: BuilderDocument;
    ground: BuilderContext;
    sql: LiveSqlState;
    place: string;
  };
}
