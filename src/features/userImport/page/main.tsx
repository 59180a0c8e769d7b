import '../../../webview/shared/texts.ts';
import '@vscode/codicons/dist/codicon.css';
import '../../../webview/shared/base.css';
import './import.css';
import { startPage } from '../../../webview/shared/startPage.tsx';
import { ImportModel } from './importModel.ts';
import { ImportPage } from './ImportPage.tsx';
import * as l10n from '../../../l10n/l10n.ts';

const model = new ImportModel();

startPage(model, {
  draw: (view) => <ImportPage model={model} view={view} />,
  // The next step; without one, the rows.
  home: () =>
    document.querySelector<HTMLElement>('.import-actions .is-primary') ??
    document.querySelector<HTMLElement>('.import-rows'),
  help: {
    title: () => l10n.t('Keys in the User Import'),
    keys: () => [['Up, Down, PageUp, PageDown', l10n.t('Scroll the rows')]],
  },
});
