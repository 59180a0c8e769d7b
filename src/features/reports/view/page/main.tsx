import '../../../../webview/shared/texts.ts';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '@vscode/codicons/dist/codicon.css';
import '../../../../webview/shared/base.css';
import '../../../../webview/grid/grid.css';
import '../../../../webview/prompts/prompts.css';
import './results.css';
import { PageModel } from './pageModel.ts';
import { ResultsView } from './ResultsView.tsx';

const model = new PageModel();

function Page() {
  const [view, setView] = useState(model.view);
  useEffect(() => void model.open(() => setView(model.view)), []);
  return view === undefined ? null : <ResultsView model={model} view={view} />;
}

const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
