import '../../../webview/shared/texts.ts';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '@vscode/codicons/dist/codicon.css';
import '../../../webview/shared/base.css';
import './tagValues.css';
import { TagValuesModel } from './tagValuesModel.ts';
import { TagValuesPage } from './TagValuesPage.tsx';

const model = new TagValuesModel();

function Page() {
  const [view, setView] = useState(model.view);
  useEffect(() => void model.open(() => setView(model.view)), []);
  return view === undefined ? null : <TagValuesPage model={model} view={view} />;
}

const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
