import * as vscode from 'vscode';
import type { BuilderStrings } from './pageStrings.ts';
import { isClientError } from '../../client/clientError.ts';
import { isNoSuchReport } from '../reports/run/reportCalls.ts';
import { displayText } from '../../editor/displayText.ts';
import type { FoundChoices } from '../reports/prompts/promptChoices.ts';
import type { BuilderTexts } from './builderSessionOptions.ts';
import { ContextError } from './builderCalls.ts';

/** Localized texts for the builder page. */
export function builderStrings(): BuilderStrings {
  return {
    ...pageStrings(),
    ...treeStrings(),
    ...fieldsStrings(),
    ...criteriaStrings(),
    ...totalsStrings(),
    ...optionsStrings(),
    ...sqlStrings(),
    ...choiceStrings(),
  };
}

function pageStrings() {
  return {
    untitled: vscode.l10n.t('Untitled report'),
    actions: vscode.l10n.t('Report'),
    openJson: vscode.l10n.t('Open as JSON'),
    preview: vscode.l10n.t('Preview'),
    previewHint: vscode.l10n.t('Run the current report with a few rows'),
    dismiss: vscode.l10n.t('Dismiss'),
    retry: vscode.l10n.t('Retry'),
    signIn: vscode.l10n.t('Sign In'),
    chooseServer: vscode.l10n.t('Choose Server…'),
    parts: vscode.l10n.t('Parts of the report'),
    tabFields: vscode.l10n.t('Fields'),
    tabCriteria: vscode.l10n.t('Criteria'),
    tabTotals: vscode.l10n.t('Totals'),
    tabOptions: vscode.l10n.t('Options'),
    hasProblem: vscode.l10n.t('the server rejects a value here'),
    chooseField: vscode.l10n.t('Column…'),
    chooseFunction: vscode.l10n.t('Function…'),
    chooseSign: vscode.l10n.t('Operator…'),
  };
}

function treeStrings() {
  return {
    fieldTree: vscode.l10n.t('Available fields'),
    searchFields: vscode.l10n.t('Search fields'),
    loadingFields: vscode.l10n.t('Loading fields…'),
    noFieldFound: vscode.l10n.t('No field matches "{0}".'),
    fieldsFound: vscode.l10n.t('{0} fields found'),
    treeField: vscode.l10n.t('{0}, {1}'),
    usedField: vscode.l10n.t('{0}, {1}, in the report'),
    addField: vscode.l10n.t('Add {0}'),
  };
}

function fieldsStrings() {
  return {
    headName: vscode.l10n.t('Field'),
    headUse: vscode.l10n.t('Use'),
    headSort: vscode.l10n.t('Sort'),
    noFieldsTitle: vscode.l10n.t('No Fields Yet'),
    noFieldsText: vscode.l10n.t('Select an available field and press Enter, double-click it, or drag it here.'),
    dropHint: vscode.l10n.t('Drag fields here, or press Enter on an available one. Alt+↑ and Alt+↓ move a field.'),
    addFormula: vscode.l10n.t('Add Formula'),
    dragHint: vscode.l10n.t('Drag to move, or press Alt+↑ or Alt+↓'),
    fieldPlace: vscode.l10n.t('{0}. {1}'),
    nameOf: vscode.l10n.t('Name of field {0}'),
    useOf: vscode.l10n.t('Use of {0}'),
    sortOf: vscode.l10n.t('Sort {0}: {1}'),
    unsorted: vscode.l10n.t('not sorted'),
    ascending: vscode.l10n.t('ascending'),
    descending: vscode.l10n.t('descending'),
    formulaField: vscode.l10n.t('formula'),
    formulaOf: vscode.l10n.t('Formula of {0}'),
    formulaHint: vscode.l10n.t(
      'For example, ROUND(?, 2), where ? is the field. Press Ctrl+Space for functions and fields.',
    ),
    offers: vscode.l10n.t('Functions and fields'),
    hideField: vscode.l10n.t('Hide {0}: filter and sort only'),
    showField: vscode.l10n.t('Show {0}'),
    removeField: vscode.l10n.t('Remove {0}'),
    useValue: vscode.l10n.t('Value'),
    useGroup: vscode.l10n.t('Group'),
    useSum: vscode.l10n.t('Sum'),
    useAverage: vscode.l10n.t('Average'),
    useMinimum: vscode.l10n.t('Minimum'),
    useMaximum: vscode.l10n.t('Maximum'),
    useCount: vscode.l10n.t('Count'),
    useCountDistinct: vscode.l10n.t('Count distinct'),
    useDeviation: vscode.l10n.t('Std. deviation'),
    useVariance: vscode.l10n.t('Variance'),
  };
}

function criteriaStrings() {
  return {
    noCriteriaTitle: vscode.l10n.t('No Criteria'),
    noCriteriaText: vscode.l10n.t(
      'The report shows every row that its user can see. To filter, choose a field and add a criterion.',
    ),
    addCriterion: vscode.l10n.t('Add Criterion'),
    criterionField: vscode.l10n.t('Field of the new criterion'),
    criterionOf: vscode.l10n.t('{0}, criterion {1}'),
    removeCriterion: vscode.l10n.t('Remove {0}'),
    criterionUp: vscode.l10n.t('Move {0} up'),
    criterionDown: vscode.l10n.t('Move {0} down'),
    joinerOf: vscode.l10n.t('Before {0}'),
    operatorOf: vscode.l10n.t('Operator of {0}'),
    chooseOperator: vscode.l10n.t('Choose operator…'),
    valueOf: vscode.l10n.t('Value of {0}'),
    fromOf: vscode.l10n.t('From: {0}'),
    toOf: vscode.l10n.t('To: {0}'),
    valueHelp: vscode.l10n.t('Suggests values from the database.'),
    dateHelp: vscode.l10n.t('A date as YYYY-MM-DD, or a relative date such as [Last Month].'),
    listHelp: vscode.l10n.t('Several values. Press Enter to add one.'),
    where: vscode.l10n.t('where'),
    and: vscode.l10n.t('and'),
    or: vscode.l10n.t('or'),
    prompt: vscode.l10n.t('Prompt when run'),
    skipable: vscode.l10n.t('Can be skipped'),
    nest: vscode.l10n.t('Group in parentheses with adjacent conditions: {0}'),
    opEquals: vscode.l10n.t('equals'),
    opDiffers: vscode.l10n.t('is not'),
    opBetween: vscode.l10n.t('is between'),
    opNotBetween: vscode.l10n.t('is not between'),
    opIn: vscode.l10n.t('is one of'),
    opNotIn: vscode.l10n.t('is none of'),
    opLess: vscode.l10n.t('is less than'),
    opAtMost: vscode.l10n.t('is at most'),
    opGreater: vscode.l10n.t('is greater than'),
    opAtLeast: vscode.l10n.t('is at least'),
    opContains: vscode.l10n.t('contains'),
    opNotContains: vscode.l10n.t('does not contain'),
    opStartsWith: vscode.l10n.t('starts with'),
    opEndsWith: vscode.l10n.t('ends with'),
    opLike: vscode.l10n.t('is like (% and _)'),
    opNotLike: vscode.l10n.t('is not like (% and _)'),
    opIsNull: vscode.l10n.t('is empty'),
    opIsNotNull: vscode.l10n.t('is not empty'),
  };
}

function totalsStrings() {
  return {
    noTotalsTitle: vscode.l10n.t('No Totals'),
    noTotalsText: vscode.l10n.t(
      'A total adds up a column for each group and for the whole report. A calculation creates a column from two others.',
    ),
    addTotal: vscode.l10n.t('Add Total'),
    addCalculation: vscode.l10n.t('Add Calculation'),
    totalNumber: vscode.l10n.t('Total {0}'),
    calculationNumber: vscode.l10n.t('Calculation {0}'),
    functionOf: vscode.l10n.t('Function of {0}'),
    fieldOf: vscode.l10n.t('Field of {0}'),
    secondFieldOf: vscode.l10n.t('Second field of {0}'),
    numberOf: vscode.l10n.t('Number of {0}'),
    aNumber: vscode.l10n.t('a number'),
    shareOfWhole: vscode.l10n.t('Share of the whole'),
    percent: vscode.l10n.t('As percentage'),
    grandTotal: vscode.l10n.t('Grand total'),
    removeTotal: vscode.l10n.t('Remove {0}'),
    totalsUnseen: vscode.l10n.t('{0} shows the rows without their totals.'),
    showAs: vscode.l10n.t('Show as {0}'),
    missingField: vscode.l10n.t('{0} (not in the report)'),
  };
}

function optionsStrings() {
  return {
    reportName: vscode.l10n.t('Name'),
    description: vscode.l10n.t('Description'),
    folder: vscode.l10n.t('Folder'),
    noFolder: vscode.l10n.t('None selected'),
    folderNumber: vscode.l10n.t('Folder {0}'),
    chooseFolder: vscode.l10n.t('Choose…'),
    outputType: vscode.l10n.t('Output type'),
    outputGrid: vscode.l10n.t('Shows every row, without totals.'),
    outputGroups: vscode.l10n.t('Shows rows under group headings, with totals.'),
    outputChart: vscode.l10n.t(
      'Draws the numeric fields after the last other field; the fields before them form the axis.',
    ),
    outputFigures: vscode.l10n.t('Shows the numbers of the report in large type.'),
    outputPivot: vscode.l10n.t(
      'The first field forms the rows, the other fields form the columns. The numeric fields after them fill the cells.',
    ),
    outputSettings: vscode.l10n.t('Settings of the output type'),
    slotCategory: vscode.l10n.t('Category'),
    slotDown: vscode.l10n.t('Down'),
    slotAcross: vscode.l10n.t('Across'),
    slotValue: vscode.l10n.t('First value'),
    slotGroups: vscode.l10n.t('Grouped by'),
    slotNone: vscode.l10n.t('Field not found'),
    rows: vscode.l10n.t('Rows'),
    distinct: vscode.l10n.t('Distinct only'),
    topN: vscode.l10n.t('At most'),
    all: vscode.l10n.t('all'),
    noLimit: vscode.l10n.t('A positive whole number, or empty for all rows'),
    reportType: vscode.l10n.t('Report type'),
    drillDown: vscode.l10n.t('Drill-down'),
    drillDownText: vscode.l10n.t('Reports that a click on a row opens, and the row values passed to them.'),
    addLink: vscode.l10n.t('Link a Report'),
    addPair: vscode.l10n.t('Pass a Field to {0}'),
    removeLink: vscode.l10n.t('Remove the link to {0}'),
    removePair: vscode.l10n.t('Stop passing {0}'),
    linkField: vscode.l10n.t('Field passed to {0}'),
    linkTarget: vscode.l10n.t('Field of {0} that receives the value'),
    linkTargetHint: vscode.l10n.t('target field'),
  };
}

function sqlStrings() {
  return {
    sql: vscode.l10n.t('SQL'),
    openSql: vscode.l10n.t('Open SQL Beside'),
    noSqlYet: vscode.l10n.t('The SQL appears here as soon as the report has a field.'),
    sqlComing: vscode.l10n.t('Contacting server…'),
    sqlOutdated: vscode.l10n.t('This SQL belongs to an earlier version of the report.'),
    inBracket: vscode.l10n.t('{0}, in parentheses'),
    fieldAdded: vscode.l10n.t('{0} added'),
  };
}

function choiceStrings() {
  return {
    any: vscode.l10n.t('any value'),
    showValues: vscode.l10n.t('Show values'),
    loadingValues: vscode.l10n.t('Loading values…'),
    addValue: vscode.l10n.t('Add a value'),
    removeValue: vscode.l10n.t('Remove {0}'),
  };
}

/** Localized texts for building a report. `server` is the server's name. */
export function builderTexts(server: () => string): BuilderTexts {
  return {
    failure: (error) => failureWords(error, server()),
    linkFailure: (name, error) =>
      isNoSuchReport(error)
        ? vscode.l10n.t('The linked report "{0}" was deleted or is hidden from this account.', displayText(name))
        : vscode.l10n.t(
            'The linked report "{0}" cannot be read: {1}',
            displayText(name),
            failureWords(error, server()),
          ),
    needsSignIn: (error) => isClientError(error) && ['notSignedIn', 'takenOver', 'signInRefused'].includes(error.kind),
    noServer: () => vscode.l10n.t('This file is not linked to a server yet. Choose a server to build the report with.'),
    stale: () => vscode.l10n.t('The report changed in the meantime. Check it and try again.'),
    notTaken: () => vscode.l10n.t('VS Code did not apply the change. The document may be read-only.'),
    unreadable: (error) =>
      vscode.l10n.t('The text is not a valid report, so it can only be edited as JSON: {0}', reasonOf(error)),
    newFormula: () => vscode.l10n.t('Formula'),
  };
}

/** Notice below a value list: it was truncated, or nothing matches. */
export function choicesNotice({ choices, matches, listed, isLimited }: FoundChoices): string {
  if (listed === 0) return vscode.l10n.t('The server lists no values for this field.');
  if (matches === 0) return vscode.l10n.t('No listed value matches. You can enter any other value.');
  if (isLimited) return vscode.l10n.t('The server lists only the first {0} values.', listed);
  return matches > choices.length ? vscode.l10n.t('{0} of {1} values; type to search.', choices.length, matches) : '';
}

function failureWords(error: unknown, server: string): string {
  if (error instanceof ContextError) return groundWords(error, server);
  if (isClientError(error, 'refused')) return displayText(error.message);
  const remedy = isClientError(error) ? error.remedy : '';
  return [reasonOf(error), remedy].filter((part) => part !== '').join(' ');
}

function groundWords({ missing }: ContextError, server: string): string {
  switch (missing) {
    case 'reportType':
      return vscode.l10n.t('The report has no report type. Set "ReportType" in the JSON, or start with New Report.');
    case 'server':
      return vscode.l10n.t(
        'You cannot see any registered server for this report on {0}. The application may have been deleted, or you have no role in it.',
        server,
      );
    case 'fields':
      return vscode.l10n.t('The report type has no fields on {0}, or your account cannot see them.', server);
  }
}

function reasonOf(error: unknown): string {
  return displayText(error instanceof Error ? error.message : String(error));
}
