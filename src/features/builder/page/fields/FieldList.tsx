import { useRef, useState } from 'preact/hooks';
import type { BuilderField, BuilderReport } from '../../pageContract.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import type { BuilderModel, BuilderPageView } from '../builderModel.ts';
import { droppedOf, isOwnDrag, useListFocus, useMoves } from '../moves.ts';
import { FieldRow } from './FieldRow.tsx';

interface FieldListProps {
  model: BuilderModel;
  view: BuilderPageView;
  report: BuilderReport;
}

/** The fields of the report in their order. Fields of the tree and of the list itself can be dropped between them. */
export function FieldList({ model, view, report }: FieldListProps) {
  const { strings, ground, sql } = view;
  const [place, setPlace] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const keys = keysOf(report.fields);
  const hasLevels = report.fields.filter(({ sort }) => sort !== null).length > 1;
  useListFocus(list, report.fields.length);
  const moves = useMoves({
    range: () => [0, report.fields.length - 1],
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
          <span class="head-name">{strings.headName}</span>
          <span>{strings.headUse}</span>
          <span>{strings.headSort}</span>
        </div>
      )}
      <ol class="fields" ref={list} aria-label={strings.tabFields}>
        {report.fields.map((field, position) => (
          <FieldRow
            key={keys[position]}
            {...{ model, strings, ground, field, position, moves, hasLevels }}
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
            <p class="empty-title">{strings.noFieldsTitle}</p>
            <p>{strings.noFieldsText}</p>
          </div>
        ) : (
          <p class="hint">{strings.dropHint}</p>
        )}
        <Button
          look="quiet"
          icon="symbol-operator"
          label={strings.addFormula}
          onClick={() => model.do('addFormula', {})}
        />
      </div>
    </div>
  );
}

/** A key for each field that stays with it when it moves. */
function keysOf(fields: readonly BuilderField[]): string[] {
  const counts = new Map<string, number>();
  return fields.map(({ alias, source }) => {
    const name = alias || source;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name}#${count}`;
  });
}

/** Place between the rows that a height in the window points at. */
function placeAt(list: HTMLElement | null, y: number): number {
  const rows = [...(list?.children ?? [])];
  const below = rows.findIndex((row) => {
    const { top, height } = row.getBoundingClientRect();
    return y < top + height / 2;
  });
  return below < 0 ? rows.length : below;
}
