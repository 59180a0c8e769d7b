import type { ComponentChildren } from 'preact';
import type { Failure, FailureKind } from '../../../../contract/pages/resultsPage.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import { emptyStateText, keptText } from './describe.ts';
import type { PageModel } from './pageModel.ts';
import type { PageView } from './pageView.ts';
import * as l10n from '../../../../l10n/l10n.ts';

const failureIcons: Record<FailureKind, string> = {
  signedOut: 'account',
  takenOver: 'account',
  newPassword: 'account',
  noPermission: 'lock',
  unreachable: 'debug-disconnect',
  refused: 'error',
  other: 'error',
};

/** Replaces the grid while there are no rows: the reason, and the next step. */
export function Notice({ model, view }: { model: PageModel; view: PageView }) {
  const { state } = view;
  const { phase } = state;
  const again = <Button look="primary" label={l10n.t('Run Again')} onClick={() => model.do('run')} />;
  switch (phase.kind) {
    case 'asking':
      return null;
    case 'preparing':
      return <Loading text={l10n.t('Loading report…')} />;
    case 'waiting':
    case 'streaming':
      return <Loading text={l10n.t('Waiting for the first rows…')} />;
    case 'failed':
      return <FailureNotice model={model} failure={phase.failure} hasNoSql={state.hasNoSql} />;
    case 'cancelled':
      return (
        <Plain
          icon="circle-slash"
          title={l10n.t('Cancelled')}
          text={l10n.t('The run was stopped before any rows arrived.')}
        >
          {again}
        </Plain>
      );
    case 'restored':
      return (
        <Plain
          icon="history"
          title={l10n.t('Run Again to See the Rows')}
          text={l10n.t('The window was reloaded. The report and its prompt values were kept.')}
        >
          {again}
          {state.hasPrompts && <Button label={l10n.t('Prompts')} onClick={() => model.do('openPrompts')} />}
        </Plain>
      );
    case 'done':
      return (
        <Plain icon="table" title={l10n.t('No Rows')} text={emptyStateText(state)}>
          {state.hasPrompts ? (
            <Button look="primary" label={l10n.t('Prompts')} onClick={() => model.do('openPrompts')} />
          ) : (
            state.hasNoSql !== true && (
              <Button look="primary" label={l10n.t('SQL')} onClick={() => model.do('showSql')} />
            )
          )}
        </Plain>
      );
  }
}

/** Banner above incomplete rows after a run was cancelled, failed or reached a limit. */
export function Banner({ model, view }: { model: PageModel; view: PageView }) {
  const { state } = view;
  const { phase } = state;
  if (phase.kind === 'failed') {
    return (
      <div class="banner is-error">
        <Icon name="error" />
        <span class="banner-text">
          <strong>{phase.failure.title}</strong> {phase.failure.cause} {phase.failure.remedy} {keptText(phase)}
        </span>
        <FailureSteps model={model} failure={phase.failure} hasNoSql={state.hasNoSql} />
      </div>
    );
  }
  const text = phase.kind === 'cancelled' ? keptText(phase) : phase.kind === 'done' ? phase.notice : '';
  if (text === '') return null;
  return (
    <div class="banner is-info">
      <Icon name="info" />
      <span class="banner-text">{text}</span>
    </div>
  );
}

/** Shown below the column titles if the filters hide all rows. */
export function NoMatch({ model }: { model: PageModel }) {
  return (
    <Plain
      icon="filter"
      title={l10n.t('No Row Matches')}
      text={l10n.t('The report returned rows, but the filters hide all of them.')}
    >
      <Button label={l10n.t('Clear Filters')} onClick={() => model.arrange({ filters: {}, search: '' })} />
    </Plain>
  );
}

interface FailureProps {
  model: PageModel;
  failure: Failure;
  hasNoSql: true | undefined;
}

function FailureNotice({ model, failure, hasNoSql }: FailureProps) {
  return (
    <div class={`notice is-${failure.kind}`}>
      <Icon name={failureIcons[failure.kind]} />
      <h2>{failure.title}</h2>
      {failure.cause !== '' && <pre class="cause">{failure.cause}</pre>}
      {failure.remedy !== '' && <p>{failure.remedy}</p>}
      <div class="steps">
        <FailureSteps model={model} failure={failure} hasNoSql={hasNoSql} />
      </div>
    </div>
  );
}

/** Actions for a failure. Signing in, or the new password that the server demands, comes first. */
function FailureSteps({ model, failure, hasNoSql }: FailureProps) {
  const needsSignIn = failure.kind === 'signedOut' || failure.kind === 'takenOver';
  if (failure.kind === 'newPassword') {
    return (
      <>
        <Button look="primary" label={l10n.t('Change Password…')} onClick={() => model.do('changePassword')} />
        <Button label={l10n.t('Retry')} onClick={() => model.do('run')} />
      </>
    );
  }
  return (
    <>
      {needsSignIn ? (
        <Button look="primary" label={l10n.t('Sign In')} onClick={() => model.do('signIn')} />
      ) : (
        <Button look="primary" label={l10n.t('Retry')} onClick={() => model.do('run')} />
      )}
      {!needsSignIn && !hasNoSql && <Button label={l10n.t('SQL')} onClick={() => model.do('showSql')} />}
    </>
  );
}

function Loading({ text }: { text: string }) {
  return (
    <div class="loading">
      <p>
        <Icon name="loading" isSpinning /> {text}
      </p>
      <div class="skeleton" aria-hidden="true">
        {Array.from({ length: 12 }, (_, row) => (
          <div class="skeleton-row" key={row} />
        ))}
      </div>
    </div>
  );
}

interface PlainProps {
  icon: string;
  title: string;
  text: string;
  children?: ComponentChildren;
}

function Plain({ icon, title, text, children }: PlainProps) {
  return (
    <div class="notice">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="steps">{children}</div>
    </div>
  );
}
