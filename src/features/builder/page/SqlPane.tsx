import { useMemo } from 'preact/hooks';
import { Button } from '../../../webview/shared/Button.tsx';
import { Icon } from '../../../webview/shared/Icon.tsx';
import type { BuilderModel, BuilderPageView } from './builderModel.ts';
import { IconButton, kept } from './controls.tsx';
import { sqlTokens } from './sqlTokens.ts';

interface SqlPaneProps extends Pick<BuilderPageView, 'strings' | 'sql'> {
  model: BuilderModel;
  /** Whether the report has no fields. */
  isEmpty: boolean;
}

/** The SQL of the report as it stands. While the server refuses it, the last one stays, greyed, under the reason. */
export const SqlPane = kept(DrawnSqlPane);

function DrawnSqlPane({ model, strings, sql, isEmpty }: SqlPaneProps) {
  const tokens = useMemo(() => sqlTokens(sql.sql), [sql.sql]);
  return (
    <section class="pane sql-pane" aria-label={strings.sql} aria-busy={sql.isLoading}>
      <header class="pane-head">
        <h2>{strings.sql}</h2>
        {sql.isAsked && <Icon name="loading" isSpinning />}
        <span class="space" />
        <IconButton
          icon="split-horizontal"
          label={strings.openSql}
          isDisabled={isEmpty}
          onClick={() => model.ask('showSql')}
        />
      </header>
      {sql.problem !== '' && (
        <p class="sql-problem" role="alert">
          <Icon name="error" />
          <span class="sql-reason">{sql.problem}</span>
          <Button label={strings.retry} onClick={() => model.ask('retrySql')} />
        </p>
      )}
      {sql.sql !== '' && sql.isOutdated && sql.problem === '' && !sql.isLoading && (
        <p class="pane-note" role="status">
          {strings.sqlOutdated}
        </p>
      )}
      {sql.sql === '' && sql.problem === '' && (
        <p class="pane-note">{isEmpty ? strings.noSqlYet : strings.sqlComing}</p>
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
