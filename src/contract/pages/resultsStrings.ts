/**
 * Texts of the results page, translated by the host. `{0}`, `{1}` are values that the page inserts with {@link fill}.
 */
export interface ResultsStrings {
  /** BCP 47 tag of the language, for number formats. */
  locale: string;

  runAgain: string;
  runOptions: string;
  trail: string;
  cancel: string;
  prompts: string;
  sql: string;
  filterColumns: string;
  searchRows: string;
  clearSearch: string;
  findText: string;
  findNext: string;
  findPrevious: string;
  notFound: string;
  foundInRow: string;
  foundInRows: string;
  retry: string;
  signIn: string;
  changePrompt: string;
  boundTo: string;

  preparing: string;
  waiting: string;
  streaming: string;
  cancelled: string;
  failed: string;
  oneRow: string;
  rows: string;
  rowsOfTotal: string;
  megabytes: string;
  kilobytes: string;
  seconds: string;
  serverTime: string;
  databaseTime: string;
  cached: string;
  limited: string;
  exportRows: string;
  cellsSelected: string;
  distinctValues: string;
  nullValues: string;
  sumOf: string;
  averageOf: string;
  leastOf: string;
  greatestOf: string;
  closePane: string;
  allRows: string;
  rowKinds: string;
  storedAs: string;
  copied: string;

  emptyTitle: string;
  emptyWithPrompts: string;
  emptyWithoutPrompts: string;
  noMatchTitle: string;
  noMatchText: string;
  clearFilters: string;
  cancelledTitle: string;
  cancelledText: string;
  restoredTitle: string;
  restoredText: string;
  partialNotice: string;
  cancelledNotice: string;
  earlierNotice: string;

  gridLabel: string;
  rowNumber: string;
  nullCell: string;
  loadingCell: string;
  cellMenu: string;
  copy: string;
  copyWithHeaders: string;
  copyAs: string;
  showCell: string;
  openLink: string;
  openReport: string;
  columnHint: string;
  sortLevel: string;
  sortAscending: string;
  sortDescending: string;
  columnProfile: string;
  freezeColumns: string;
  unfreezeColumns: string;
  moveLeft: string;
  moveRight: string;
  fitColumn: string;
  hideColumn: string;
  showColumn: string;
  showAllColumns: string;
  missingValues: string;
  profileRows: string;
  profileOthers: string;
  profileMean: string;
  filterHint: string;
  filterOf: string;
  madeColumn: string;

  table: string;
  chart: string;
  pivot: string;
  groups: string;
  chartLabel: string;
  saved: string;
  chartPreparing: string;
  chartNoMeasure: string;
  chartNoNumber: string;
  chartNoCategory: string;
  chartNoMap: string;
  chartJoinedRegions: string;
  chartUnknownRegions: string;
  noData: string;

  promptsTitle: string;
  promptsIntro: string;
  presets: string;
  noPreset: string;
  savePreset: string;
  removePreset: string;
  run: string;
  runHint: string;
  close: string;
  required: string;
  skip: string;
  skipped: string;
  any: string;
  from: string;
  to: string;
  time: string;
  showValues: string;
  addValue: string;
  removeValue: string;
  relativeDates: string;
  relativeHelp: string;
  halfTyped: string;
  loadingValues: string;
}

/** Texts of the boxes that offer values, wherever they are shown. */
export type ChoiceStrings = Pick<ResultsStrings, 'any' | 'showValues' | 'loadingValues' | 'addValue' | 'removeValue'>;

/** Replaces `{0}`, `{1}` … of a translated text by `values`. */
export function fill(text: string, ...values: (string | number)[]): string {
  return text.replace(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}
