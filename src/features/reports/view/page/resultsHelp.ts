import type { KeyHelp } from '../../../../webview/shared/keyLabels.ts';
import * as l10n from '../../../../l10n/l10n.ts';

/** Keys of the results page. */
export const resultsHelp: KeyHelp = {
  title: () => l10n.t('Keys in Results'),
  keys: () => [
    ['Left, Right, Up, Down', l10n.t('Move between cells; the column titles are above the first row')],
    ['Ctrl+Home, Ctrl+End', l10n.t('First or last cell')],
    ['Shift+Down, Shift+Right', l10n.t('Extend the selection')],
    ['Ctrl+A', l10n.t('Select all cells')],
    ['Ctrl+C', l10n.t('Copy')],
    ['Ctrl+Shift+C', l10n.t('Copy with Headers')],
    ['Ctrl+Alt+C', l10n.t('Copy As…')],
    ['Enter', l10n.t('On a cell: open its link or linked report. On a title: sort')],
    ['Shift+Enter', l10n.t('On a title: add to the sort order')],
    ['F2', l10n.t('On a cell: show it whole. On a title: show the distribution of values')],
    ['Shift+F10', l10n.t('Menu of the selected cells or the column')],
    ['Alt+Left, Alt+Right', l10n.t('On a title: move the column')],
    ['Alt+Shift+Left, Alt+Shift+Right', l10n.t('On a title: make the column narrower or wider')],
    ['Delete', l10n.t('On a title: hide the column; its menu shows it again')],
    ['T', l10n.t('Switch between table and chart, pivot or groups')],
    ['Left, Right, Home, End', l10n.t('In a chart: previous, next, first or last value')],
    ['Up, Down', l10n.t('In a chart: previous or next series')],
    ['Plus, Minus, 0', l10n.t('In a chart: zoom in, zoom out or show all')],
    ['Shift+Left, Shift+Right', l10n.t('In a zoomed chart: show what is before or after')],
    ['Ctrl+F', l10n.t('Find')],
    ['F3, Shift+F3', l10n.t('Next or previous match')],
    ['Escape', l10n.t('Close the prompts, the search or the pane beside the rows')],
  ],
};
