import { useRef } from 'preact/hooks';
import { ActionBar } from '../../../../webview/shared/ActionBar.tsx';
import { Button } from '../../../../webview/shared/Button.tsx';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import { isChartShown, isRunning } from './describe.ts';
import type { PageModel } from './pageModel.ts';
import type { PageView } from './pageView.ts';
import * as l10n from '../../../../l10n/l10n.ts';

/** Title, server and user that it is bound to, and actions. */
export function Toolbar({ model, view }: { model: PageModel; view: PageView }) {
  const { state, grid, form } = view;
  const isAsking = state.phase.kind === 'asking';
  const isChart = isChartShown(view);
  const hasRows = grid !== null && grid.totalRows > 0;
  const isUnderWay = isRunning(state.phase);
  const canRun = !isUnderWay && !isAsking && state.isMadeHere !== true;
  return (
    <div class="toolbar">
      <div class="heading">
        <Trail model={model} view={view} />
        <h1 title={state.title}>{state.title}</h1>
        <span class="bound" title={l10n.t('Run as {0} on {1}', state.user, state.server)}>
          {/* The name of a second account's server already contains the account. */}
          {state.server.includes(`(${state.user})`) ? state.server : `${state.server} · ${state.user}`}
        </span>
      </div>
      {hasRows && <Search model={model} />}
      <ActionBar label={state.title}>
        {/* A single button keeps the focus when its meaning changes. */}
        {(isUnderWay || canRun) && (
          <Button
            look="quiet"
            icon={isUnderWay ? 'stop-circle' : 'play'}
            label={isUnderWay ? l10n.t('Cancel') : l10n.t('Run Again')}
            onClick={() => model.do(isUnderWay ? 'cancel' : 'run')}
          />
        )}
        {canRun && (
          <Button
            look="quiet"
            icon="chevron-down"
            label={l10n.t('Run Options…')}
            isBare
            onClick={() => model.do('runOptions')}
          />
        )}
        {hasRows && state.output !== null && <OutputSwitch model={model} view={view} />}
        {hasRows && !isChart && (
          <Button
            look="quiet"
            icon={view.isFilterRowShown ? 'filter-filled' : 'filter'}
            label={l10n.t('Filter')}
            isPressed={view.isFilterRowShown}
            onClick={() => model.showFilterRow(!view.isFilterRowShown)}
          />
        )}
        {state.hasPrompts && !isAsking && (
          <Button
            look="quiet"
            icon="settings"
            label={l10n.t('Prompts')}
            isPressed={form !== null}
            onClick={() => model.do(form === null ? 'openPrompts' : 'closePrompts')}
          />
        )}
        {state.hasNoSql !== true && (
          <Button look="quiet" icon="code" label={l10n.t('SQL')} onClick={() => model.do('showSql')} />
        )}
        {hasRows && <Button look="quiet" icon="export" label={l10n.t('Export')} onClick={() => model.exportRows()} />}
      </ActionBar>
    </div>
  );
}

/** The reports that were drilled down from. Each leads back to its rows. */
function Trail({ model, view }: { model: PageModel; view: PageView }) {
  const { trail } = view.state;
  if (trail.length < 2) return null;
  return (
    <nav class="trail" aria-label={l10n.t('Return path')}>
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
  const { state } = view;
  const other =
    state.output === 'groups'
      ? l10n.t('Groups')
      : state.output?.startsWith('pivot')
        ? l10n.t('Pivot')
        : l10n.t('Chart');
  const icon = state.output === 'groups' ? 'list-tree' : state.output?.startsWith('pivot') ? 'symbol-numeric' : 'graph';
  return (
    <>
      <Button
        look="quiet"
        icon={state.isTable ? icon : 'table'}
        label={state.isTable ? other : l10n.t('Table')}
        onClick={() => model.present(!state.isTable)}
      />
    </>
  );
}

/** Filters the rows by text in any cell. */
function Search({ model }: { model: PageModel }) {
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
        placeholder={l10n.t('Only rows with…')}
        aria-label={l10n.t('Only rows with…')}
        spellcheck={false}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && text !== '' && search('')}
      />
      {text !== '' && (
        <Button
          look="quiet"
          icon="close"
          label={l10n.t('Clear')}
          onClick={() => {
            search('');
            box.current?.focus();
          }}
        />
      )}
    </div>
  );
}
