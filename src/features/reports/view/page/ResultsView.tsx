import { useEffect, useLayoutEffect } from 'preact/hooks';
import { PromptFormView } from '../../../../webview/prompts/PromptFormView.tsx';
import { isChartShown, isRunning, runText, selectionText, serverText } from './describe.ts';
import { CellPane, ProfilePane } from './SidePanes.tsx';
import { FindBar, GridView } from './GridView.tsx';
import { ChartView } from './ChartView.tsx';
import { Banner, NoMatch, Notice } from './Notice.tsx';
import type { PageModel } from './pageModel.ts';
import type { PageView } from './pageView.ts';
import { filterProblemTexts } from './announcements.ts';
import { filterProblemId } from '../../../../webview/grid/gridModel.ts';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import { Toolbar } from './Toolbar.tsx';
import { withFilter } from './arrangement.ts';
import * as l10n from '../../../../l10n/l10n.ts';

/** The whole page. */
export function ResultsView({ model, view }: { model: PageModel; view: PageView }) {
  const { state, grid, form } = view;
  const hasRows = grid !== null && (grid.totalRows > 0 || isRunning(state.phase));
  const isChart = isChartShown(view);
  const isAlone = !hasRows && (state.phase.kind === 'asking' || form !== null);
  useEffect(() => {
    if (!isChart) model.wantChart(undefined);
  }, [isChart]);
  const canFind = hasRows && !isChart;
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!pressFindKey(event, model, canFind)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [canFind]);
  return (
    <div class="page">
      <header class="head">
        <Toolbar model={model} view={view} />
        <Chips model={model} view={view} />
        <RowKinds model={model} view={view} />
      </header>
      <div class={`progress${isRunning(state.phase) ? ' is-running' : ''}`} aria-hidden="true" />
      <main class={`content${form === null ? '' : isAlone ? ' is-asking' : ' is-split'}`}>
        {form !== null && (
          <PromptFormView
            key={form.number}
            form={form}
            draft={model.draftFor(form)}
            onChange={(values) => model.keepDraft(form, values)}
            onSubmit={(values) => model.submit(values)}
            onClose={() => model.do('closePrompts')}
            presets={model.presets}
            onChoices={(index, search) => model.link.request('promptChoices', { index, search })}
          />
        )}
        {!isAlone && (
          <section
            class="result"
            tabIndex={-1}
            aria-label={l10n.t('Result')}
            aria-busy={isRunning(state.phase)}
            onKeyDown={(event) => {
              if (!isSwitchKey(event) || !hasRows || state.output === null) return;
              event.preventDefault();
              model.present(!state.isTable);
            }}
          >
            {hasRows ? (
              <>
                <Banner model={model} view={view} />
                {isChart && <ChartView model={model} view={view} viewNumber={grid.view} />}
                {view.find !== undefined && canFind && <FindBar find={model.find} state={view.find} />}
                <FilterProblems view={view} />
                <GridView model={model} view={view} grid={grid} isHidden={isChart} />
                {!isChart && grid.notes.length > 0 && <p class="grid-notes">{grid.notes.join(' ')}</p>}
                {grid.rows === 0 && grid.totalRows > 0 && <NoMatch model={model} />}
              </>
            ) : (
              <Notice model={model} view={view} />
            )}
          </section>
        )}
        {view.cell !== undefined && <CellPane model={model} cell={view.cell} />}
        {view.profile !== undefined && <ProfilePane model={model} profile={view.profile} />}
      </main>
      {hasFooter(view) && <Footer view={view} />}
    </div>
  );
}

/** Why filters are refused, in words. Their boxes refer to it. */
function FilterProblems({ view }: { view: PageView }) {
  const problems = filterProblemTexts(view.filterProblems, view.grid);
  return problems.map(({ column, text }) => (
    <p class="filter-problem" id={filterProblemId(column)} key={column}>
      <Icon name="error" /> {text}
    </p>
  ));
}

/** Handles Ctrl+F and F3 as in an editor. Over a chart, Ctrl+F focuses the search box. Returns false for other keys. */
function pressFindKey(event: KeyboardEvent, model: PageModel, canFind: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  // Beneath the help, nothing acts.
  if (document.querySelector('dialog[open]') !== null) return false;
  const isOpening = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'f';
  if (canFind && key === 'F3' && !ctrlKey && !altKey) model.find.step(shiftKey);
  else if (!isOpening) return false;
  else if (canFind) model.find.open();
  else document.querySelector<HTMLInputElement>('.search .input')?.select();
  return true;
}

/** Whether a key switches between the table and the chart. In a box it is a letter. */
function isSwitchKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return key.toLowerCase() === 't' && !ctrlKey && !metaKey && !altKey && !(target instanceof HTMLInputElement);
}

/** Before a run, the footer is hidden unless there is a remark. */
function hasFooter({ state, remark }: PageView): boolean {
  return remark !== '' || (state.phase.kind !== 'asking' && state.phase.kind !== 'restored');
}

/** The values that the rows were requested with. Each opens the form. */
function Chips({ model, view }: { model: PageModel; view: PageView }) {
  const { state } = view;
  if (state.chips.length === 0 || state.phase.kind === 'asking') return null;
  return (
    <ul class="chips" aria-label={l10n.t('Prompts')}>
      {state.chips.map(({ label, text }, index) => (
        <li key={index}>
          <button
            type="button"
            class="chip"
            title={l10n.t('Change "{0}" and run again', label || text)}
            onClick={() => model.do('openPrompts')}
          >
            <span class="chip-label">{label}</span> {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Footer({ view }: { view: PageView }) {
  const { state, grid, selectedCells, figures, remark } = view;
  return (
    <footer class="footer">
      <span class="footer-run">{runText(state, grid)}</span>
      <span class="footer-selection">{remark || selectionText(selectedCells, figures)}</span>
      <span class="footer-server">{serverText(state.phase)}</span>
    </footer>
  );
}

/** Buttons that filter the rows by kind, which is in the first column. */
function RowKinds({ model, view }: { model: PageModel; view: PageView }) {
  const { state } = view;
  const { rowKinds } = state;
  if (rowKinds === undefined) return null;
  const total = rowKinds.reduce((sum, { rows }) => sum + rows, 0);
  const filter = model.arrangement.filters[0] ?? '';
  const choose = (text: string) => model.arrange({ filters: withFilter(model.arrangement.filters, 0, text) });
  const kinds = [{ text: '', rows: total }, ...rowKinds];
  return (
    <div class="chips" role="group" aria-label={l10n.t('Rows to show')}>
      {kinds.map(({ text, rows }) => {
        const own = text === '' ? '' : `=${text}`;
        return (
          <button
            type="button"
            class="chip"
            key={text}
            aria-pressed={filter === own}
            disabled={rows === 0}
            onClick={() => choose(own)}
          >
            {text === '' ? l10n.t('All') : text} <span class="chip-label">{rows.toLocaleString(l10n.language())}</span>
          </button>
        );
      })}
    </div>
  );
}
