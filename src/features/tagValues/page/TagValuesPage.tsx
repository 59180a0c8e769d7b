import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TagValueRow } from '../pageContract.ts';
import { Button } from '../../../webview/shared/Button.tsx';
import { Icon } from '../../../webview/shared/Icon.tsx';
import { isOnMac } from '../../../webview/shared/keyLabels.ts';
import { isMatch, pastedValues, type TagSide, type TagValuesModel, type TagValuesView } from './tagValuesModel.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** Maximum number of rendered rows per side; the filter finds the others. */
const mostShown = 200;

/** The values of a data tag: its default, then the overrides of groups and users. */
export function TagValuesPage({ model, view }: { model: TagValuesModel; view: TagValuesView }) {
  const { table, isBusy } = view;
  useSaveKey(model);
  return (
    <main class="tag" aria-busy={isBusy}>
      <header class="tag-head">
        <div>
          <h1>{table.title}</h1>
          <p class="tag-summary">{view.summary}</p>
        </div>
        <Actions model={model} view={view} />
      </header>
      {view.fault !== '' && (
        <p class="tag-fault">
          <Icon name="error" />
          <span>{view.fault}</span>
        </p>
      )}
      <div class="tag-body">
        <div class="tag-default">
          <label for="default">{l10n.t('Default value')}</label>
          <input
            id="default"
            class={`input ${view.defaultValue === undefined ? '' : 'is-edited'}`}
            value={view.defaultValue ?? table.defaultValue}
            aria-describedby="default-help"
            aria-description={view.defaultValue === undefined ? undefined : l10n.t('changed, not saved')}
            readOnly={isBusy}
            onInput={(event) => model.setDefault(event.currentTarget.value)}
          />
          <p id="default-help">
            {l10n.t('Value for everyone without their own. If empty, they see no rows where a policy uses the tag.')}
          </p>
        </div>
        <input
          class="input tag-find"
          type="search"
          placeholder={l10n.t('Find a group or user')}
          aria-label={l10n.t('Find a group or user')}
          value={view.find}
          onInput={(event) => model.find(event.currentTarget.value)}
        />
        <Side model={model} view={view} side="groups" title={l10n.t('Groups')} />
        <Side model={model} view={view} side="users" title={l10n.t('Users')} />
      </div>
    </main>
  );
}

function Actions({ model, view: { isBusy } }: { model: TagValuesModel; view: TagValuesView }) {
  const isUnsaved = model.unsaved > 0;
  return (
    <div class="tag-actions">
      <Button
        look="quiet"
        icon="refresh"
        label={l10n.t('Reload')}
        isDisabled={isBusy}
        onClick={() => void model.reload()}
      />
      <Button
        look="quiet"
        icon="discard"
        label={l10n.t('Discard Changes')}
        isDisabled={isBusy || !isUnsaved}
        onClick={() => void model.revert()}
      />
      <Button
        look="primary"
        label={l10n.t('Save')}
        hint={isOnMac() ? l10n.t('Save (⌘S)') : l10n.t('Save (Ctrl+S)')}
        keys="Ctrl+S"
        isDisabled={isBusy || !isUnsaved}
        onClick={() => void model.save()}
      />
    </div>
  );
}

interface SideProps {
  model: TagValuesModel;
  view: TagValuesView;
  side: TagSide;
  title: string;
}

function Side({ model, view, side, title }: SideProps) {
  const { table, find } = view;
  const matching = table[side].filter((row) => isMatch(row, find)).sort(byValueThenName);
  const shown = matching.slice(0, mostShown);
  const left = matching.length - shown.length;
  return (
    <section class="tag-side" aria-label={title}>
      <h2>
        {title} <span class="tag-count">{table[side].length}</span>
      </h2>
      {shown.length === 0 && <p class="tag-none">{find === '' ? l10n.t('There are none.') : l10n.t('No matches.')}</p>}
      {shown.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{l10n.t('Name')}</th>
              <th scope="col">{l10n.t('Value')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <Row
                key={row.id}
                model={model}
                view={view}
                side={side}
                row={row}
                onPaste={(values) => model.paste(side, shown.slice(index), values)}
              />
            ))}
          </tbody>
        </table>
      )}
      {left > 0 && <p class="tag-none">{l10n.t('{0} more. Enter part of a name to find them.', left)}</p>}
    </section>
  );
}

interface RowProps extends Omit<SideProps, 'title'> {
  row: TagValueRow;
  /** Called when several values are pasted, for this row and the following ones. */
  onPaste: (values: readonly string[]) => void;
}

function Row({ model, view, side, row, onPaste }: RowProps) {
  const { table, defaultValue, edits, isBusy } = view;
  const edit = edits[side].get(row.id);
  const value = edit === undefined ? row.value : edit;
  const byDefault = defaultValue ?? table.defaultValue;
  const input = useRef<HTMLInputElement>(null);
  // The button disappears with the value, so the focus moves to the row's input.
  const clear = () => {
    input.current?.focus();
    model.set(side, row, null);
  };
  return (
    <tr>
      <th scope="row">
        {row.name} <span class="tag-detail">{row.detail}</span>
      </th>
      <td>
        <input
          ref={input}
          class={`input ${edit === undefined ? '' : 'is-edited'}`}
          value={value ?? ''}
          placeholder={byDefault === '' ? l10n.t('no value') : l10n.t('default: {0}', byDefault)}
          aria-label={row.name}
          aria-description={edit === undefined ? undefined : l10n.t('changed, not saved')}
          readOnly={isBusy}
          onInput={(event) => model.set(side, row, event.currentTarget.value)}
          onPaste={(event) => pasteLines(event, onPaste)}
          onKeyDown={(event) => moveBetween(event, () => model.set(side, row, row.value))}
        />
        {value !== null && (
          <Button
            look="quiet"
            icon="close"
            label={l10n.t('Clear the value of {0}', row.name)}
            isDisabled={isBusy}
            onClick={clear}
          />
        )}
      </td>
    </tr>
  );
}

/** Saves on Ctrl+S wherever the focus is: saving disables buttons and so removes their focus. */
function useSaveKey(model: TagValuesModel): void {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      void model.save();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [model]);
}

/** Pastes a column of values into the rows starting here; a single line is left to the input. */
function pasteLines(event: ClipboardEvent, onPaste: (values: readonly string[]) => void): void {
  const values = pastedValues(event.clipboardData?.getData('text/plain') ?? '');
  if (!values) return;
  event.preventDefault();
  onPaste(values);
}

/** Arrow keys move to the value above or below, Escape reverts the input. */
function moveBetween(event: KeyboardEvent & { currentTarget: HTMLInputElement }, giveUp: () => void): void {
  if (event.key === 'Escape') return giveUp();
  const step = event.key === 'ArrowDown' || event.key === 'Enter' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const all = [...document.querySelectorAll<HTMLInputElement>('.tag-side .input')];
  all[all.indexOf(event.currentTarget) + step]?.focus();
}

/** Rows with their own value come first, based on the loaded values: typing moves no row. */
function byValueThenName(a: TagValueRow, b: TagValueRow): number {
  return Number(b.value !== null) - Number(a.value !== null) || a.name.localeCompare(b.name);
}
