import type { ImportRowLook, ImportRowView, ImportState } from '../pageContract.ts';
import { Button } from '../../../webview/shared/Button.tsx';
import { Icon } from '../../../webview/shared/Icon.tsx';
import { faultOf, type ImportModel, type ImportView } from './importModel.ts';
import * as l10n from '../../../l10n/l10n.ts';

const troubled: readonly ImportRowLook[] = ['invalid', 'partial', 'failed'];

/** The user import page: summary, progress, and every row with its outcome. */
export function ImportPage({ model, view }: { model: ImportModel; view: ImportView }) {
  const { state, rows, isTroubleOnly } = view;
  const shown = isTroubleOnly ? rows.filter(({ look }) => troubled.includes(look)) : rows;
  const fault = faultOf(view);
  return (
    <main class="import">
      <header class="import-head">
        <div class="import-words">
          <h1>{state.title}</h1>
          <p class="import-summary">{state.summary}</p>
        </div>
        <div class="import-actions">
          <Actions model={model} view={view} />
        </div>
      </header>
      <Progress state={state} />
      {state.remark !== '' && <Note icon="info" words={state.remark} />}
      {fault !== '' && <Note icon="error" words={fault} />}
      <div class="import-rows" tabIndex={0} role="region" aria-label={l10n.t('Users to import')}>
        <table aria-label={l10n.t('Users to import')}>
          <thead>
            <tr>
              <th scope="col" class="is-number">
                {l10n.t('Line')}
              </th>
              <th scope="col">{l10n.t('User name')}</th>
              <th scope="col">{l10n.t('Status')}</th>
              <th scope="col">{l10n.t('Name')}</th>
              <th scope="col">{l10n.t('E-mail')}</th>
              <th scope="col">{l10n.t('Groups')}</th>
              <th scope="col">{l10n.t('Application role')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={row.line} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </main>
  );
}

function Actions({ model, view: { state, isTroubleOnly } }: { model: ImportModel; view: ImportView }) {
  return (
    <>
      {state.troubleCount > 0 && (
        <Button
          look="quiet"
          icon="filter"
          label={`${l10n.t('Only rows with problems')} (${state.troubleCount})`}
          isPressed={isTroubleOnly}
          onClick={() => model.toggleTrouble()}
        />
      )}
      {state.hasOutcome && (
        <Button look="quiet" icon="save" label={l10n.t('Save Outcome…')} onClick={() => model.ask('saveOutcome')} />
      )}
      {!state.isRunning && state.undoLabel !== '' && (
        <Button icon="discard" label={state.undoLabel} onClick={() => model.ask('undo')} />
      )}
      {state.isRunning && <Button icon="stop-circle" label={l10n.t('Stop')} onClick={() => model.ask('stop')} />}
      {!state.isRunning && state.importLabel !== '' && (
        <Button look="primary" label={state.importLabel} onClick={() => model.ask('import')} />
      )}
    </>
  );
}

function Progress({ state }: { state: ImportState }) {
  if (!state.isRunning) return <div class="import-progress" />;
  return (
    <progress class="import-progress is-running" max={1} value={state.progress} aria-label={state.summary}></progress>
  );
}

function Note({ icon, words }: { icon: string; words: string }) {
  return (
    <p class={`import-note is-${icon}`}>
      <Icon name={icon} />
      <span>{words}</span>
    </p>
  );
}

function Row({ row }: { row: ImportRowView }) {
  return (
    <tr class={`is-${row.look}`}>
      <td class="is-number">{row.line}</td>
      <th scope="row" class="is-login">
        {row.loginName}
      </th>
      <td class="import-status">
        <Icon name={icons[row.look]} isSpinning={row.look === 'working'} />
        <span>
          {row.status}
          {row.reason !== '' && <span class="import-reason"> {row.reason}</span>}
        </span>
      </td>
      <td>{row.name}</td>
      <td>{row.email}</td>
      <td>{row.groups}</td>
      <td>{row.role}</td>
    </tr>
  );
}

const icons: Record<ImportRowLook, string> = {
  ready: 'circle-outline',
  invalid: 'error',
  working: 'loading',
  done: 'pass',
  partial: 'warning',
  failed: 'error',
  idle: 'circle-outline',
  undone: 'discard',
};
