import * as vscode from 'vscode';
import type { ResultsStrings } from '../../../contract/pages/resultsStrings.ts';

/** Localized texts for the results page. */
export function resultsTexts(): ResultsStrings {
  return {
    locale: vscode.env.language,
    ...runWords(),
    ...noticeWords(),
    ...gridWords(),
    ...chartWords(),
    ...formWords(),
  };
}

function runWords() {
  return {
    runAgain: vscode.l10n.t('Run Again'),
    runOptions: vscode.l10n.t('Run Options…'),
    trail: vscode.l10n.t('Return path'),
    cancel: vscode.l10n.t('Cancel'),
    prompts: vscode.l10n.t('Prompts'),
    sql: vscode.l10n.t('SQL'),
    filterColumns: vscode.l10n.t('Filter'),
    searchRows: vscode.l10n.t('Only rows with…'),
    clearSearch: vscode.l10n.t('Clear'),
    findText: vscode.l10n.t('Find'),
    findNext: vscode.l10n.t('Next Match'),
    findPrevious: vscode.l10n.t('Previous Match'),
    notFound: vscode.l10n.t('Not found'),
    foundInRow: vscode.l10n.t('in 1 row'),
    foundInRows: vscode.l10n.t('in {0} rows'),
    retry: vscode.l10n.t('Retry'),
    signIn: vscode.l10n.t('Sign In'),
    changePrompt: vscode.l10n.t('Change "{0}" and run again'),
    boundTo: vscode.l10n.t('Run as {0} on {1}'),
    preparing: vscode.l10n.t('Loading report…'),
    waiting: vscode.l10n.t('Waiting for the first rows…'),
    streaming: vscode.l10n.t('streaming'),
    cancelled: vscode.l10n.t('cancelled'),
    failed: vscode.l10n.t('failed'),
    oneRow: vscode.l10n.t('1 row'),
    rows: vscode.l10n.t('{0} rows'),
    rowsOfTotal: vscode.l10n.t('{0} of {1} rows'),
    megabytes: vscode.l10n.t('{0} MB'),
    kilobytes: vscode.l10n.t('{0} KB'),
    seconds: vscode.l10n.t('{0} s'),
    serverTime: vscode.l10n.t('server {0}'),
    databaseTime: vscode.l10n.t('database {0}'),
    cached: vscode.l10n.t('cached'),
    limited: vscode.l10n.t('row limit of the report'),
    exportRows: vscode.l10n.t('Export'),
    cellsSelected: vscode.l10n.t('{0} cells selected'),
    distinctValues: vscode.l10n.t('{0} distinct'),
    nullValues: vscode.l10n.t('{0} null'),
    sumOf: vscode.l10n.t('sum {0}'),
    averageOf: vscode.l10n.t('avg {0}'),
    leastOf: vscode.l10n.t('min {0}'),
    greatestOf: vscode.l10n.t('max {0}'),
    closePane: vscode.l10n.t('Close'),
    allRows: vscode.l10n.t('All'),
    rowKinds: vscode.l10n.t('Rows to show'),
    storedAs: vscode.l10n.t('Stored as'),
    copied: vscode.l10n.t('Copied'),
  };
}

function noticeWords() {
  return {
    emptyTitle: vscode.l10n.t('No Rows'),
    emptyWithPrompts: vscode.l10n.t('The report ran, but no row matches these prompt values. Try other values.'),
    emptyWithoutPrompts: vscode.l10n.t(
      "The report ran and returned no rows. Its criteria or this user's row-level security hide all rows.",
    ),
    noMatchTitle: vscode.l10n.t('No Row Matches'),
    noMatchText: vscode.l10n.t('The report returned rows, but the filters hide all of them.'),
    clearFilters: vscode.l10n.t('Clear Filters'),
    cancelledTitle: vscode.l10n.t('Cancelled'),
    cancelledText: vscode.l10n.t('The run was stopped before any rows arrived.'),
    restoredTitle: vscode.l10n.t('Run Again to See the Rows'),
    restoredText: vscode.l10n.t('The window was reloaded. The report and its prompt values were kept.'),
    partialNotice: vscode.l10n.t('The rows received so far are kept; there may be more.'),
    cancelledNotice: vscode.l10n.t('Cancelled. Rows received so far are kept; the result may be incomplete.'),
    earlierNotice: vscode.l10n.t('The rows shown are from the previous run.'),
  };
}

function gridWords() {
  return {
    gridLabel: vscode.l10n.t('Rows of the report'),
    rowNumber: vscode.l10n.t('Row number'),
    nullCell: vscode.l10n.t('null'),
    loadingCell: vscode.l10n.t('Loading'),
    cellMenu: vscode.l10n.t('Selected cells'),
    copy: vscode.l10n.t('Copy'),
    copyWithHeaders: vscode.l10n.t('Copy with Headers'),
    copyAs: vscode.l10n.t('Copy As…'),
    showCell: vscode.l10n.t('Show Whole Cell'),
    openLink: vscode.l10n.t('Open Link'),
    openReport: vscode.l10n.t('Open Linked Report'),
    columnHint: vscode.l10n.t(
      'Click to sort, Shift+click to add to the sort order, drag to move, right-click for more',
    ),
    sortLevel: vscode.l10n.t('Sort level {0}'),
    sortAscending: vscode.l10n.t('Sort Ascending'),
    sortDescending: vscode.l10n.t('Sort Descending'),
    columnProfile: vscode.l10n.t('Show Distribution'),
    freezeColumns: vscode.l10n.t('Freeze up to This Column'),
    unfreezeColumns: vscode.l10n.t('Unfreeze Columns'),
    moveLeft: vscode.l10n.t('Move Left'),
    moveRight: vscode.l10n.t('Move Right'),
    fitColumn: vscode.l10n.t('Fit Width'),
    hideColumn: vscode.l10n.t('Hide Column'),
    showColumn: vscode.l10n.t('Show "{0}"'),
    showAllColumns: vscode.l10n.t('Show All Columns'),
    missingValues: vscode.l10n.t('{0} missing ({1})'),
    profileRows: vscode.l10n.t('{0} rows shown'),
    profileOthers: vscode.l10n.t('Other values'),
    profileMean: vscode.l10n.t('mean {0}'),
    filterHint: vscode.l10n.t('Text the cell contains, or =text, <>text, >5, <=5, 1..5, null, !null'),
    filterOf: vscode.l10n.t('Filter of {0}'),
    madeColumn: vscode.l10n.t('Combines several columns. To filter them or view their distribution, use the table'),
  };
}

function chartWords() {
  return {
    table: vscode.l10n.t('Table'),
    chart: vscode.l10n.t('Chart'),
    pivot: vscode.l10n.t('Pivot'),
    groups: vscode.l10n.t('Groups'),
    chartLabel: vscode.l10n.t('Chart of {0}. The table shows the same rows.'),
    saved: vscode.l10n.t('Saved'),
    chartPreparing: vscode.l10n.t('Drawing chart…'),
    chartNoMeasure: vscode.l10n.t('Nothing to chart: no numeric column. The table shows the rows.'),
    chartNoNumber: vscode.l10n.t('Nothing to chart: no row contains a number. The table shows the rows.'),
    chartNoCategory: vscode.l10n.t('Nothing to chart: no category column. The table shows the rows.'),
    chartNoMap: vscode.l10n.t('This installation has no map shapes. The table shows the rows.'),
    chartJoinedRegions: vscode.l10n.t('Combined into one region each: {0}.'),
    chartUnknownRegions: vscode.l10n.t('Not on the map: {0}.'),
    noData: vscode.l10n.t('no value'),
  };
}

function formWords() {
  return {
    promptsTitle: vscode.l10n.t('Prompts'),
    promptsIntro: vscode.l10n.t('The report asks for these values before it runs.'),
    presets: vscode.l10n.t('Saved values'),
    noPreset: vscode.l10n.t('Choose…'),
    savePreset: vscode.l10n.t('Save These Values…'),
    removePreset: vscode.l10n.t('Delete These Values…'),
    run: vscode.l10n.t('Run'),
    runHint: vscode.l10n.t('Run (Enter)'),
    close: vscode.l10n.t('Cancel'),
    required: vscode.l10n.t('Required'),
    skip: vscode.l10n.t('Skip'),
    skipped: vscode.l10n.t('Not used as a filter.'),
    any: vscode.l10n.t('Any'),
    from: vscode.l10n.t('From'),
    to: vscode.l10n.t('To'),
    time: vscode.l10n.t('Time of day (optional)'),
    showValues: vscode.l10n.t('Show values'),
    addValue: vscode.l10n.t('Add a value'),
    removeValue: vscode.l10n.t('Remove {0}'),
    relativeDates: vscode.l10n.t('Relative'),
    relativeHelp: vscode.l10n.t('{0} (as of today). Saved relative values move with the calendar.'),
    halfTyped: vscode.l10n.t('The date or time is incomplete. Complete or clear it.'),
    loadingValues: vscode.l10n.t('Loading values…'),
  };
}
