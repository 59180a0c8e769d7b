import '../../../webview/shared/texts.ts';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '@vscode/codicons/dist/codicon.css';
import '../../../webview/shared/base.css';
import './import.css';
import { ImportModel } from './importModel.ts';
import { ImportPage } from './ImportPage.tsx';

const model = new ImportModel();

function Page() {
  const [view, setView] = useState(model.view);
  useEffect(() => void model.open(() => setView(model.view)), []);
  return view === undefined ? null : <ImportPage model={model} view={view} />;
}

const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
