import { useRef, useState } from 'preact/hooks';
import type { BuilderField, BuilderReport, BuilderContext } from '../../pageContract.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import { say } from '../../../../webview/shared/liveRegion.ts';
import type { BuilderModel, BuilderPageView } from '../builderModel.ts';
import { droppedOf, isOwnDrag, useListFocus, useReorder, startDrag, type Reorder } from '../reorder.ts';
import { DraftInput, useShown } from '../DraftInput.tsx';
import { FormulaBox } from './FormulaBox.tsx';
import { isFieldUse, offeredUses, useOf, typeIcon } from './fieldUses.ts';
import { IconButton, kept, noFieldsText } from '../controls.tsx';
import * as l10n from '../../../../l10n/l10n.ts';

interface FieldListProps {
  model: BuilderModel;
  view: BuilderPageView;
  report: BuilderReport;
}

/** The fields of the report in order. Accepts fields dropped from the tree and from the list itself. */
export function FieldList({ model, view, report }: FieldListProps) {
  const { ground, sql } = view;
  const [place, setPlace] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const keys = keysOf(report.fields);
  const hasLevels = report.fields.filter(({ sort }) => sort !== null).length > 1;
  useListFocus(list, report.fields.length);
  const moves = useReorder({
    range: () => [0, report.fields.length - 1],
    name: (at) => report.fields[at]?.name ?? '',
    send: async (at, to) => {
      const field = report.fields[at];
      return field !== undefined && model.make({ kind: 'moveField', field: field.index, place: to });
    },
    arrived: (at) => list.current?.children[at]?.querySelector<HTMLElement>('.field-name')?.focus(),
  });

  const drop = (event: DragEvent) => {
    const dropped = droppedOf(event);
    const target = placeAt(list.current, event.clientY);
    setPlace(null);
    event.preventDefault();
    if (dropped?.kind === 'entries') model.do('addFields', { entries: dropped.entries, place: target });
    if (dropped?.kind !== 'field') return;
    const from = report.fields.findIndex(({ index }) => index === dropped.field);
    const to = target > from ? target - 1 : target;
    if (from >= 0 && to !== from) model.edit({ kind: 'moveField', field: dropped.field, place: to });
  };

  return (
    <div
      class="field-area"
      onDragOver={(event) => {
        if (!isOwnDrag(event)) return;
        event.preventDefault();
        setPlace(placeAt(list.current, event.clientY));
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget))
          setPlace(null);
      }}
      onDrop={drop}
    >
      {report.fields.length > 0 && (
        <div class="field-head" aria-hidden="true">
          <span class="head-name">{l10n.t('Field')}</span>
          <span>{l10n.t('Use')}</span>
          <span>{l10n.t('Sort')}</span>
        </div>
      )}
      <ol class="fields" ref={list} aria-label={l10n.t('Fields')}>
        {report.fields.map((field, position) => (
          <FieldRow
            key={keys[position]}
            {...{ model, ground, field, position, moves, hasLevels }}
            rowKey={keys[position] ?? ''}
            isDropPlace={place === position}
            problem={sql.problemField === field.index ? sql.problem : ''}
          />
        ))}
      </ol>
      <div class={`drop-end${place === report.fields.length ? ' is-drop' : ''}`}>
        {report.fields.length === 0 ? (
          <div class="empty">
            <Icon name="list-selection" />
            <p class="empty-title">{l10n.t('No Fields Yet')}</p>
            <p>{noFieldsText()}</p>
          </div>
        ) : (
          <p class="hint">
            {l10n.t('Drag fields here, or press Enter on an available one. Alt+↑ and Alt+↓ move a field.')}
          </p>
        )}
        <Button
          look="quiet"
          icon="symbol-operator"
          label={l10n.t('Add Formula')}
          onClick={() => model.do('addFormula', {})}
        />
      </div>
    </div>
  );
}

/** Keys for the fields that stay with them when they move. */
function keysOf(fields: readonly BuilderField[]): string[] {
  const counts = new Map<string, number>();
  return fields.map(({ alias, source }) => {
    const name = alias || source;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name}#${count}`;
  });
}

/** Insertion position between the rows at a vertical window position. */
function placeAt(list: HTMLElement | null, y: number): number {
  const rows = [...(list?.children ?? [])];
  const below = rows.findIndex((row) => {
    const { top, height } = row.getBoundingClientRect();
    return y < top + height / 2;
  });
  return below < 0 ? rows.length : below;
}

interface FieldRowProps {
  model: BuilderModel;
  ground: BuilderContext;
  field: BuilderField;
  /** Index among the displayed fields. */
  position: number;
  rowKey: string;
  isDropPlace: boolean;
  /** The server's message about this field; empty if there is none. */
  problem: string;
  moves: Reorder;
  /** Whether several fields are sorted, so that each shows its priority. */
  hasLevels: boolean;
}

/** A field: its name, use, sort and formula. Alt+Arrow moves it. */
const FieldRow = kept(DrawnFieldRow);

function DrawnFieldRow(props: FieldRowProps) {
  const { model, ground, field, position, rowKey, isDropPlace, problem, moves, hasLevels } = props;
  const isFormula = field.source === '';
  const [isOpen, setOpen] = useState(isFormula && field.formula === '');
  const use = useOf(field);
  const hidden = useShown(String(field.isHidden));
  const isHidden = hidden.text === 'true';
  const turnHidden = () => {
    const value = hidden.text !== 'true';
    model.edit({ kind: 'setHidden', field: field.index, value });
    hidden.show(String(value));
    say(value ? l10n.t('{0} hidden', field.name) : l10n.t('{0} shown', field.name));
  };
  const problemId = problem === '' ? undefined : `problem-${field.index}`;
  const classes = ['field', isHidden && 'is-hidden', isDropPlace && 'is-drop', problem !== '' && 'has-problem'];
  const press = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    moves.move(position, event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li
      class={classes.filter(Boolean).join(' ')}
      data-key={rowKey}
      aria-label={l10n.t('{0}. {1}', position + 1, field.name)}
      onKeyDown={press}
    >
      <span
        class="grip"
        draggable
        title={l10n.t('Drag to move, or press Alt+↑ or Alt+↓')}
        onDragStart={(event) => startDrag(event, { kind: 'field', field: field.index })}
      >
        <Icon name="gripper" />
      </span>
      <Icon name={isFormula ? 'symbol-operator' : typeIcon(field.type)} />
      <div class="field-title" title={isFormula ? field.name : `${field.name}\n${field.source}`}>
        <DraftInput
          class="field-name"
          value={field.header}
          placeholder={field.name}
          label={l10n.t('Name of field {0}', position + 1)}
          isInvalid={problemId !== undefined}
          describedBy={problemId}
          onChange={(value) => model.edit({ kind: 'renameField', field: field.index, value })}
        />
        <span class="field-source" title={field.source}>
          {isFormula ? l10n.t('formula') : field.source}
        </span>
      </div>
      <select
        class="select"
        aria-label={l10n.t('Use of {0}', field.name)}
        value={use}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (isFieldUse(value)) model.edit({ kind: 'setUse', field: field.index, value });
        }}
      >
        {offeredUses(field).map(({ value, label }) => (
          <option key={value} value={value} disabled={value === 'group' && isHidden}>
            {label}
          </option>
        ))}
      </select>
      <SortButton {...{ model, field, hasLevels }} />
      <div class="field-actions">
        <IconButton
          icon="symbol-operator"
          label={l10n.t(isFormula || field.formula === '' ? 'Formula of {0}' : 'Formula of {0}, in use', field.name)}
          isPressed={isOpen}
          isMarked={field.formula !== ''}
          onClick={() => setOpen(!isOpen)}
        />
        <IconButton
          icon={isHidden ? 'eye-closed' : 'eye'}
          label={l10n.t(isHidden ? 'Show {0}' : 'Hide {0}: filter and sort only', field.name)}
          isDisabled={field.isGroup}
          onClick={turnHidden}
        />
        <IconButton
          icon="close"
          label={l10n.t('Remove {0}', field.name)}
          onClick={() => model.edit({ kind: 'removeField', field: field.index })}
        />
      </div>
      {isOpen && <FormulaBox {...{ model, ground, field, problemId }} />}
      {problem !== '' && (
        <p class="field-problem" id={problemId}>
          <Icon name="error" /> {problem}
        </p>
      )}
    </li>
  );
}

function sortText(sort: string): string {
  if (sort === '') return l10n.t('not sorted');
  return sort === 'desc' ? l10n.t('descending') : l10n.t('ascending');
}

/** Cycles through ascending, descending and none. */
function SortButton({ model, field, hasLevels }: Pick<FieldRowProps, 'model' | 'field' | 'hasLevels'>) {
  const { sort } = field;
  const shown = useShown(sort === null ? '' : sort.isDescending ? 'desc' : 'asc');
  const { text } = shown;
  const level = hasLevels && text !== '' ? (sort?.priority ?? undefined) : undefined;
  const words = level === undefined ? sortText(text) : `${sortText(text)}, ${l10n.t('Sort level {0}', level)}`;
  const label = l10n.t('Sort {0}: {1}', field.name, words);
  const turn = () => {
    const next = shown.text === '' ? 'asc' : shown.text === 'asc' ? 'desc' : null;
    model.sort(field.index, next);
    shown.show(next ?? '');
    say(l10n.t('Sort {0}: {1}', field.name, sortText(next ?? '')));
  };
  return (
    <button
      type="button"
      class={`sort${text === '' ? '' : ' is-sorted'}`}
      aria-label={label}
      title={label}
      onClick={turn}
    >
      <Icon name={text === '' ? 'arrow-swap' : text === 'desc' ? 'arrow-down' : 'arrow-up'} />
      {level !== undefined && <span class="sort-level" data-level={level} />}
    </button>
  );
}
