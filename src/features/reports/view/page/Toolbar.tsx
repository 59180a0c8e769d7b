import { useRef } from 'preact/hooks';
import { fill } from '../../../../contract/pages/resultsStrings.ts';
import { ActionBar } from '../../../../webview/shared/ActionBar.tsx';
import { Button } from '../../../../webview/shared/Button.tsx';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import { isChartShown, isRunning } from './describe.ts';
import type { PageModel } from './pageModel.ts';
import type { PageView } from './pageView.ts';

/** Title, server and user that it is bound to, and actions. */
export function Toolbar({ model, view }: { model: PageModel; view: PageView }) {
  const { strings, state, grid, form } = view;
  const isAsking = state.phase.kind === 'asking';
  const isChart = isChartShown(view);
  const hasRows = grid !== null && grid.totalRows > 0;
  const isUnderWay = isRunning(state.phase);
  const canRun = !isUnderWay && !isAsking && state.isMadeHere !== true;
  return (
    <header class="toolbar">
      <div class="heading">
        <Trail model={model} view={view} />
        <h1 title={state.title}>{state.title}</h1>
        <span class="bound" title={fill(strings.boundTo, state.user, state.server)}>
          {/* The name of a second account's server already contains the account. */}
          {state.server.includes(`(${state.user})`) ? state.server : `${state.server} · ${state.user}`}
        </span>
      </div>
      {hasRows && <Search model={model} view={view} />}
      <ActionBar label={state.title}>
        {/* A single button keeps the focus when its meaning changes. */}
        {(isUnderWay || canRun) && (
          <Button
            look="quiet"
            icon={isUnderWay ? 'stop-circle' : 'play'}
            label={isUnderWay ? strings.cancel : strings.runAgain}
            onClick={() => model.do(isUnderWay ? 'cancel' : 'run')}
          />
        )}
        {canRun && (
          <Button
            look="quiet"
            icon="chevron-down"
            label={strings.runOptions}
            isBare
            onClick={() => model.do('runOptions')}
          />
        )}
        {hasRows && state.output !== null && <OutputSwitch model={model} view={view} />}
        {hasRows && !isChart && (
          <Button
            look="quiet"
            icon={view.isFilterRowShown ? 'filter-filled' : 'filter'}
            label={strings.filterColumns}
            isPressed={view.isFilterRowShown}
            onClick={() => model.showFilterRow(!view.isFilterRowShown)}
          />
        )}
        {state.hasPrompts && !isAsking && (
          <Button
            look="quiet"
            icon="settings"
            label={strings.prompts}
            isPressed={form !== null}
            onClick={() => model.do(form === null ? 'openPrompts' : 'closePrompts')}
          />
        )}
        {state.isMadeHere !== true && (
          <Button look="quiet" icon="code" label={strings.sql} onClick={() => model.do('showSql')} />
        )}
        {hasRows && <Button look="quiet" icon="export" label={strings.exportRows} onClick={() => model.exportRows()} />}
      </ActionBar>
    </header>
  );
}

/** The reports that were drilled down from. Each leads back to its rows. */
function Trail({ model, view }: { model: PageModel; view: PageView }) {
  const { trail } = view.state;
  if (trail.length < 2) return null;
  return (
    <nav class="trail" aria-label={view.strings.trail}>
      {trail.slice(0, -1).map((title, level) => (
        <button type="button" class="crumb" key={level} title={title} onClick={() => model.back(level)}>
          <span class="crumb-text">{title}</span>
          <Icon name="chevron-right" />
        </button>
      ))}
    </nav>
  );
}

/** Switches between the table and the view of the report's output type. */
function OutputSwitch({ model, view }: { model: PageModel; view: PageView }) {
  const { strings, state } = view;
  const other =
    state.output === 'groups' ? strings.groups : state.output?.startsWith('pivot') ? strings.pivot : strings.chart;
  const icon = state.output === 'groups' ? 'list-tree' : state.output?.startsWith('pivot') ? 'symbol-numeric' : 'graph';
  return (
    <>
      <Button
        look="quiet"
        icon={state.isTable ? icon : 'table'}
        label={state.isTable ? other : strings.table}
        onClick={() => model.present(!state.isTable)}
      />
    </>
  );
}

/** Filters the rows by text in any cell. */
function Search({ model, view }: { model: PageModel; view: PageView }) {
  const { strings } = view;
  const text = model.arrangement.search;
  const search = (next: string) => model.arrange({ search: next });
  const box = useRef<HTMLInputElement>(null);
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={box}
        type="text"
        class="input"
        value={text}
        placeholder={strings.searchRows}
        aria-label={strings.searchRows}
        spellcheck={false}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && text !== '' && search('')}
      />
      {text !== '' && (
        <Button
          look="quiet"
          icon="close"
          label={strings.clearSearch}
          onClick={() => {
            search('');
            box.current?.focus();
          }}
        />
      )}
    </div>
  );
}
