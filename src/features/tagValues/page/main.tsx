import '../../../webview/shared/texts.ts';
import '@vscode/codicons/dist/codicon.css';
import '../../../webview/shared/base.css';
import './tagValues.css';
import { startPage } from '../../../webview/shared/startPage.tsx';
import { TagValuesModel } from './tagValuesModel.ts';
import { TagValuesPage } from './TagValuesPage.tsx';
import * as l10n from '../../../l10n/l10n.ts';

const model = new TagValuesModel();

startPage(model, {
  draw: (view) => <TagValuesPage model={model} view={view} />,
  home: () => document.getElementById('default'),
  help: {
    title: () => l10n.t('Keys in the Values of a Data Tag'),
    keys: () => [
      ['Up, Down, Enter', l10n.t('Value of the previous or next group or user')],
      ['Escape', l10n.t('Restore the value of the row')],
      ['Ctrl+V', l10n.t('Paste a column of values into the rows from here on')],
      ['Ctrl+S', l10n.t('Save')],
    ],
  },
});
