import type { BuilderStrings } from './pageStrings.ts';

/** A column of the report as the builder shows it. Fields stand in the order in which the report shows them. */
export interface BuilderField {
  /** Place in the report's `FieldList`. */
  index: number;
  /** Header of the column, as it is shown: the report's own, else what stands for it. */
  name: string;
  /** The report's own header; empty where it has none. */
  header: string;
  /** Name of the column in the SQL and in the result's rows. */
  alias: string;
  /** `table.column` of the report type; empty for a field that is only a formula. */
  source: string;
  /** Field type code. */
  type: string;
  /** Filters and sorts only. */
  isHidden: boolean;
  /** Group of the result's grid. */
  isGroup: boolean;
  /** Aggregate as the report writes it; empty for none. */
  aggregate: string;
  formula: string;
  sort: BuilderSort | null;
  criteria: BuilderCriterion[];
}

/** How a field sorts; without a priority it comes after those that have one. */
export interface BuilderSort {
  isDescending: boolean;
  priority: number | null;
}

/** One criteria row that filters. */
export interface BuilderCriterion {
  /** Place in the field's `Criteria`. */
  row: number;
  operator: string;
  value1: string;
  value2: string;
  /** The values of a list, as `value1` writes them. */
  list: string[];
  /** What leads to the next row. */
  joiner: 'AND' | 'OR';
  /** Stands in parentheses with its neighbours. */
  isNested: boolean;
  /** Asks at run time; the values are its defaults. */
  isPrompt: boolean;
  isSkipable: boolean;
}

/** A totals row. */
export interface BuilderTotal {
  /** Place in `AdHocFields`. */
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
  /** Place in `linkreports`. */
  index: number;
  reportId: string;
  name: string;
  /** Fields here, and the target's fields that they are handed to. */
  pairs: { field: string; target: string }[];
}

/** A field of a linked report that can be handed a value: what the link calls it, and its header. */
export interface TargetChoice {
  value: string;
  label: string;
}

/** The report that the document holds. */
export interface BuilderReport {
  name: string;
  description: string;
  application: string;
  reportType: string;
  server: string;
  folderId: string;
  outputType: number;
  isDistinct: boolean;
  /** Most rows; null for no limit of its own. */
  topN: number | null;
  fields: BuilderField[];
  totals: BuilderTotal[];
  links: BuilderLink[];
}

/** Where the document stands. Edits name the `version` that they were thought up in, so that none hits another field. */
export interface BuilderDocument {
  /** Changes when fields, rows or entries are removed, moved or put before others; not when a value changes. */
  version: number;
  /** The report; the last one that could be read when the text is no report now; null when there never was one. */
  report: BuilderReport | null;
  /** Why the text cannot be read; empty when it can. */
  problem: string;
}

/** A node of the field tree, in the order of the tree; its children follow it with a greater depth. */
export interface TreeEntry {
  label: string;
  depth: number;
  isFolder: boolean;
  /** `table.column`; empty for a folder. */
  source: string;
  /** Field type code; empty for a folder. */
  type: string;
}

/** A function that formulas may call. */
export interface FormulaFunction {
  name: string;
  description: string;
  /** `?` stands for the field. */
  template: string;
}

/** What the report is made of: the report type's fields, and what the platform can do. */
export type BuilderContext =
  | { kind: 'loading' }
  | {
      kind: 'ready';
      tree: TreeEntry[];
      functions: FormulaFunction[];
      outputTypes: { id: number; name: string }[];
      platform: string;
      /** Folders by id, each with the path to it. */
      folders: { id: string; name: string }[];
    }
  | { kind: 'failed'; message: string; needsSignIn: boolean; needsServer: boolean };

/** The SQL of the report as it stands. */
export interface LiveSqlState {
  /** The latest that the server gave; stays while a newer one is on its way or refused. */
  sql: string;
  /** Whether a newer one will come by itself. */
  isLoading: boolean;
  /** Whether the server is being asked: while the report is typed into it is not yet. */
  isAsked: boolean;
  /** Whether the report changed since `sql` was generated. */
  isOutdated: boolean;
  /** Why there is none for the report as it stands; empty when there is. */
  problem: string;
  /** Place in `FieldList` of the field that the problem names; null when it names none. */
  problemField: number | null;
}

/** How a field is used: as it is, as a group of the grid, or as an aggregate. */
export type FieldUse =
  'value' | 'group' | 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'COUNT' | 'COUNT DISTINCT' | 'STDDEV' | 'VARIANCE';

/** Parts of a criteria row that can be changed. */
export type CriterionChange = Partial<Omit<BuilderCriterion, 'row'>>;

/** Parts of a totals row that can be changed. */
export type TotalChange = Partial<Omit<BuilderTotal, 'index'>>;

/** Parts of a value handed to a linked report that can be changed. */
export type PairChange = Partial<BuilderLink['pairs'][number]>;

/** One change of the document that takes nothing from the server. Fields are named by their place in `FieldList`. */
export type BuilderEdit =
  | { kind: 'setText'; name: 'Reportname' | 'Description'; value: string }
  | { kind: 'setDistinct'; value: boolean }
  | { kind: 'setTopN'; value: number | null }
  | { kind: 'setOutputType'; value: number }
  | { kind: 'renameField'; field: number; value: string }
  | { kind: 'setUse'; field: number; value: FieldUse }
  | { kind: 'setHidden'; field: number; value: boolean }
  | { kind: 'setFormula'; field: number; value: string }
  /** `place` counts the fields as they are shown, without the one that moves. */
  | { kind: 'moveField'; field: number; place: number }
  | { kind: 'removeField'; field: number }
  | { kind: 'setCriterion'; field: number; row: number; change: CriterionChange }
  | { kind: 'removeCriterion'; field: number; row: number }
  | { kind: 'moveCriterion'; field: number; row: number; place: number }
  | { kind: 'setTotal'; total: number; change: TotalChange }
  | { kind: 'removeTotal'; total: number }
  /** `place` counts the values that a linked report is handed. */
  | { kind: 'addPair'; link: number }
  | { kind: 'setPair'; link: number; place: number; change: PairChange }
  | { kind: 'removePair'; link: number; place: number }
  | { kind: 'removeLink'; link: number };

/** The parts of the report that the middle of the page shows one at a time. */
export type BuilderTab = 'fields' | 'criteria' | 'totals' | 'options';

/** What a page shows of its report: where a page that takes its place goes on. */
export interface BuilderSight {
  tab: BuilderTab;
  /** What is searched for in the field tree. */
  search: string;
  /** Label of the element that has the focus; empty for none. */
  focus: string;
}

/** Everything that a page needs to draw itself from nothing. */
interface BuilderSnapshot {
  strings: BuilderStrings;
  /** Name of the server and account that the builder asks; empty when none is chosen yet. */
  place: string;
  document: BuilderDocument;
  ground: BuilderContext;
  sql: LiveSqlState;
  /** What the page that this one takes the place of showed; null for a page that takes none. */
  sight: BuilderSight | null;
}

/** The builder page. */
export interface BuilderContract {
  requests: {
    /** The page has loaded. */
    ready: { params: null; answer: BuilderSnapshot };
    edit: { params: { version: number; edit: BuilderEdit }; answer: null };
    /** Tells what the page shows now. */
    shows: { params: BuilderSight; answer: null };
    /** Adds fields of the tree before the field shown at `place`, or at the end. */
    addFields: { params: { version: number; entries: number[]; place: number | null }; answer: null };
    /** Adds a field that is a formula. */
    addFormula: { params: { version: number }; answer: null };
    /** Adds a sort to a field, turns it around, or takes it away. */
    sortField: { params: { version: number; field: number; direction: 'asc' | 'desc' | null }; answer: null };
    addCriterion: { params: { version: number; field: number }; answer: null };
    addTotal: { params: { version: number; type: 'total' | 'calc' }; answer: null };
    /** Asks for a report to drill down to. */
    addLink: { params: { version: number }; answer: null };
    /** Asks for the folder that the report is saved to. */
    pickFolder: { params: null; answer: null };
    /** Values of a field that match what was typed. */
    fieldValues: {
      params: { field: number; search: string };
      answer: { choices: { value: string; label: string }[]; notice: string };
    };
    /** The fields that a report to drill down to can be given values for, those that it asks for first. */
    targetFields: { params: { reportId: string }; answer: TargetChoice[] };
    /** Runs the report as it stands, with few rows. */
    preview: { params: null; answer: null };
    showSql: { params: null; answer: null };
    /** As the keys in other editors; after the edits that were made before. */
    undo: { params: null; answer: null };
    redo: { params: null; answer: null };
    save: { params: null; answer: null };
    openJson: { params: null; answer: null };
    /** Asks for the SQL again, after a failure. */
    retrySql: { params: null; answer: null };
    /** Reads the report type's fields again; also the answer to a failure. */
    retry: { params: null; answer: null };
    signIn: { params: null; answer: null };
    /** Asks which server a file on disk belongs to. */
    chooseServer: { params: null; answer: null };
  };
  events: {
    document: BuilderDocument;
    ground: BuilderContext;
    sql: LiveSqlState;
    place: string;
  };
}
