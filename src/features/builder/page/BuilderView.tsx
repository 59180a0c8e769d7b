import { useMemo } from 'preact/hooks';
import type { BuilderReport, BuilderTab } from '../pageContract.ts';
import { ActionBar } from '../../../webview/shared/ActionBar.tsx';
import { Button } from '../../../webview/shared/Button.tsx';
import { Icon } from '../../../webview/shared/Icon.tsx';
import type { BuilderModel, BuilderPageView } from './builderModel.ts';
import { CriteriaTab } from './criteria/CriteriaTab.tsx';
import { FieldList } from './fields/FieldList.tsx';
import { FieldTree } from './fields/FieldTree.tsx';
import { IconButton, kept } from './controls.tsx';
import { OptionsTab } from './options/OptionsTab.tsx';
import { problemPlace } from './problemPlace.ts';
import { TotalsTab } from './options/TotalsTab.tsx';
import { sqlTokens } from './sqlTokens.ts';
import * as l10n from '../../../l10n/l10n.ts';

interface ViewProps {
  model: BuilderModel;
  view: BuilderPageView;
}

/** The whole page: the report type's fields, the report, and its SQL. */
export function BuilderView({ model, view }: ViewProps) {
  const { document: held, place, remark, sql } = view;
  const { report, problem } = held;
  const isEmpty = (report?.fields.length ?? 0) === 0;
  return (
    <div class="builder">
      <header class="toolbar">
        <div class="heading">
          <h1 title={report?.name}>
            {report === null ? l10n.t('Report Builder') : report.name || l10n.t('Untitled report')}
          </h1>
          <span class="bound">{place}</span>
        </div>
        <ActionBar label={l10n.t('Report')}>
          <Button look="quiet" icon="json" label={l10n.t('Open as JSON')} onClick={() => model.ask('openJson')} />
          <Button
            look="primary"
            icon="play"
            label={l10n.t('Preview')}
            hint={l10n.t('Run the current report with a few rows')}
            isDisabled={isEmpty || problem !== ''}
            onClick={() => model.ask('preview')}
          />
        </ActionBar>
      </header>
      <main class="work">
        {problem !== '' && (
          <div class="banner">
            <Icon name="error" />
            <span>{problem}</span>
            <Button label={l10n.t('Open as JSON')} onClick={() => model.ask('openJson')} />
          </div>
        )}
        {remark !== '' && (
          <div class="banner is-remark">
            <Icon name="warning" />
            <span>{remark}</span>
            <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => model.dismiss()} />
          </div>
        )}
        {report !== null && (
          <div class="panes" inert={problem !== ''}>
            <section class="pane tree-pane" aria-label={l10n.t('Available fields')}>
              <header class="pane-head">
                <h2>{l10n.t('Available fields')}</h2>
              </header>
              <TreeContent {...{ model, view }} />
            </section>
            <ReportPane {...{ model, view, report }} />
            <SqlPane {...{ model, sql, isEmpty }} />
          </div>
        )}
      </main>
    </div>
  );
}

function TreeContent({ model, view }: ViewProps) {
  const { ground, document: held } = view;
  switch (ground.kind) {
    case 'loading':
      return (
        <p class="pane-note">
          <Icon name="loading" isSpinning /> {l10n.t('Loading fields…')}
        </p>
      );
    case 'ready': {
      const sources = (held.report?.fields ?? []).map(({ source }) => source).join('\n');
      return <FieldTree {...{ model, sources, ground }} />;
    }
    case 'failed':
      return (
        <div class="pane-note">
          <p>{ground.message}</p>
          {ground.nextStep === 'chooseServer' ? (
            <Button look="primary" label={l10n.t('Choose Server…')} onClick={() => model.ask('chooseServer')} />
          ) : ground.nextStep === 'changePassword' ? (
            <Button look="primary" label={l10n.t('Change Password…')} onClick={() => model.ask('changePassword')} />
          ) : ground.nextStep === 'signIn' ? (
            <Button look="primary" label={l10n.t('Sign In')} onClick={() => model.ask('signIn')} />
          ) : (
            <Button label={l10n.t('Retry')} onClick={() => model.ask('retry')} />
          )}
        </div>
      );
  }
}

/** The report, one part at a time. */
function ReportPane({ model, view, report }: ViewProps & { report: BuilderReport }) {
  const { tab, sql } = view;
  const trouble = problemPlace(sql, report)?.tab;
  const criteria = report.fields.reduce((sum, field) => sum + field.criteria.length, 0);
  const tabs: { id: BuilderTab; label: string; count: number }[] = [
    { id: 'fields', label: l10n.t('Fields'), count: report.fields.length },
    { id: 'criteria', label: l10n.t('Criteria'), count: criteria },
    { id: 'totals', label: l10n.t('Totals'), count: report.totals.length },
    { id: 'options', label: l10n.t('Options'), count: 0 },
  ];
  const step = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === tab);
    const places: Partial<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const place = places[event.key];
    const next = place === undefined ? undefined : tabs.at(place % tabs.length);
    if (!next) return;
    event.preventDefault();
    model.showTab(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <section class="pane report-pane">
      <div class="tabs" role="tablist" aria-label={l10n.t('Parts of the report')} onKeyDown={step}>
        {tabs.map(({ id, label, count }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            class="tab"
            aria-selected={id === tab}
            aria-controls="part"
            tabIndex={id === tab ? 0 : -1}
            onClick={() => model.showTab(id)}
          >
            {label}
            {count > 0 && <span class="count">{count}</span>}
            {id === trouble && (
              <span
                class="tab-problem"
                role="img"
                aria-label={l10n.t('the server rejects a value here')}
                title={sql.problem}
              >
                <Icon name="error" />
              </span>
            )}
          </button>
        ))}
      </div>
      <div class="part" id="part" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'fields' && <FieldList {...{ model, view, report }} />}
        {tab === 'criteria' && <CriteriaTab {...{ model, view, report }} />}
        {tab === 'totals' && <TotalsTab {...{ model, view, report }} />}
        {tab === 'options' && <OptionsTab {...{ model, view, report }} />}
      </div>
    </section>
  );
}

interface SqlPaneProps extends Pick<BuilderPageView, 'sql'> {
  model: BuilderModel;
  /** Whether the report has no fields. */
  isEmpty: boolean;
}

/** The report's current SQL. If the server rejects the report, the last SQL stays, dimmed, below the reason. */
const SqlPane = kept(DrawnSqlPane);

function DrawnSqlPane({ model, sql, isEmpty }: SqlPaneProps) {
  const tokens = useMemo(() => sqlTokens(sql.sql), [sql.sql]);
  return (
    <section class="pane sql-pane" aria-label={l10n.t('SQL')} aria-busy={sql.isLoading}>
      <header class="pane-head">
        <h2>{l10n.t('SQL')}</h2>
        {sql.isAsked && <Icon name="loading" isSpinning />}
        <span class="space" />
        <IconButton
          icon="split-horizontal"
          label={l10n.t('Open SQL Beside')}
          isDisabled={isEmpty}
          onClick={() => model.ask('showSql')}
        />
      </header>
      {sql.problem !== '' && (
        <p class="sql-problem">
          <Icon name="error" />
          <span class="sql-reason">{sql.problem}</span>
          <Button label={l10n.t('Retry')} onClick={() => model.ask('retrySql')} />
        </p>
      )}
      {sql.sql !== '' && sql.isOutdated && sql.problem === '' && !sql.isLoading && (
        <p class="pane-note">{l10n.t('This SQL belongs to an earlier version of the report.')}</p>
      )}
      {sql.sql === '' && sql.problem === '' && (
        <p class="pane-note">
          {isEmpty ? l10n.t('The SQL appears here as soon as the report has a field.') : l10n.t('Contacting server…')}
        </p>
      )}
      {sql.sql !== '' && (
        <pre class={`sql${sql.isOutdated ? (sql.isLoading ? ' is-coming' : ' is-old') : ''}`} tabIndex={0}>
          {tokens.map(({ kind, text }, place) =>
            kind === 'plain' ? (
              text
            ) : (
              <span key={place} class={`sql-${kind}`}>
                {text}
              </span>
            ),
          )}
        </pre>
      )}
    </section>
  );
}
