import '../../../webview/shared/texts.ts';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '@vscode/codicons/dist/codicon.css';
import '../../../webview/shared/base.css';
import '../../../webview/prompts/prompts.css';
import './builder.css';
import './fields/fieldTree.css';
import './fields/fieldList.css';
import './rows.css';
import './panes.css';
import { BuilderModel } from './builderModel.ts';
import { BuilderView } from './BuilderView.tsx';
import { Answered } from './DraftInput.tsx';
import { editorKey } from './editorKeys.ts';

const model = new BuilderModel();

function Page() {
  const [view, setView] = useState(model.view);
  useEffect(() => void model.open(() => setView(model.view)), []);
  const isDrawn = view !== undefined;
  useEffect(() => {
    if (isDrawn) model.drawn();
  }, [isDrawn]);
  if (!isDrawn) return null;
  return (
    <Answered.Provider value={model.answered}>
      <BuilderView model={model} view={view} />
    </Answered.Provider>
  );
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

const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
