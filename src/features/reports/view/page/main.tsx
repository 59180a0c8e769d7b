import '../../../../webview/shared/texts.ts';
import '@vscode/codicons/dist/codicon.css';
import '../../../../webview/shared/base.css';
import '../../../../webview/grid/grid.css';
import '../../../../webview/prompts/prompts.css';
import './results.css';
import { startPage } from '../../../../webview/shared/startPage.tsx';
import { PageModel } from './pageModel.ts';
import { resultsHelp } from './resultsHelp.ts';
import { ResultsView } from './ResultsView.tsx';

const model = new PageModel();

startPage(model, {
  draw: (view) => <ResultsView model={model} view={view} />,
  home: workPlace,
  help: resultsHelp,
});

/** The rows; without any, the form or the next step. While they load, their place: Enter must not cancel them. */
function workPlace(): HTMLElement | null {
  const places = [
    '.is-asking .prompts :is(input, select, button)',
    '.grid-place:not([hidden]) > .grid',
    '.chart [tabindex="0"]',
    '.result .steps button',
    '.result',
    '.actions button[tabindex="0"]',
  ];
  for (const place of places) {
    const found = document.querySelector<HTMLElement>(place);
    if (found !== null) return found;
  }
  return null;
}
