import '../../../webview/shared/texts.ts';
import '@vscode/codicons/dist/codicon.css';
import '../../../webview/shared/base.css';
import '../../../webview/prompts/prompts.css';
import './builder.css';
import './fields/fieldTree.css';
import './fields/fieldList.css';
import './rows.css';
import './panes.css';
import { startPage } from '../../../webview/shared/startPage.tsx';
import { BuilderModel } from './builderModel.ts';
import { BuilderView } from './BuilderView.tsx';
import { Answered } from './DraftInput.tsx';
import { builderHelp, editorKey } from './editorKeys.ts';

const model = new BuilderModel();

startPage(model, {
  draw: (view) => (
    <Answered.Provider value={model.answered}>
      <BuilderView model={model} view={view} />
    </Answered.Provider>
  ),
  drawn: () => model.drawn(),
  home: workPlace,
  help: builderHelp,
});

/** The search of the fields; without fields, the next step. */
function workPlace(): HTMLElement | null {
  for (const place of [
    '.banner:not(.is-remark) button',
    '.tree-search > .input',
    '.tree-pane button',
    '.toolbar button',
  ]) {
    const found = document.querySelector<HTMLElement>(place);
    if (found !== null && found.closest('[inert]') === null) return found;
  }
  return null;
}

document.addEventListener('keydown', (event) => {
  const key = editorKey(event);
  if (key === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (key === 'save') model.tellSight();
  model.ask(key);
});
document.addEventListener('focusin', () => model.tellSight());
// For saving from outside the page, such as from a menu.
window.addEventListener('blur', () => model.tellSight());
