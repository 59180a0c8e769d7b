import { make, titleId } from '../gridModel.ts';
import type { GridModel } from '../gridModel.ts';
import { profileBars, profileText } from './profileBars.ts';
import * as l10n from '../../../l10n/l10n.ts';

const sortIcons = { ascending: 'codicon-arrow-up', descending: 'codicon-arrow-down' } as const;

/** The title of the column at `place`: name, sort direction and distribution of values. */
export function columnTitle(model: GridModel, place: number): HTMLElement {
  const column = model.layout.columnAt(place);
  const shape = model.columns[column];
  const title = make('div', `grid-title is-${shape?.kind ?? 'text'}`, 'columnheader');
  title.id = titleId(place);
  title.setAttribute('aria-haspopup', 'menu');
  const text = make('span', 'grid-title-text');
  text.textContent = shape?.title ?? '';
  title.append(text);
  if (shape?.zone !== undefined) {
    const zone = make('span', 'grid-title-zone');
    zone.textContent = shape.zone;
    title.append(zone);
  }
  markSorting(title, model, column);
  describeTitle(title, model, column);
  return title;
}

/** Tooltip, screen reader label and, if known, value distribution of a column title. */
export function describeTitle(title: HTMLElement, model: GridModel, column: number): void {
  const { columns, sort, profiles } = model;
  const { title: name = '', typeName = '' } = columns[column] ?? {};
  const profile = profiles.get(column);
  const figures = profile === undefined ? '' : profileText(profile);
  title.title = [
    typeName === '' ? name : `${name} (${typeName})`,
    figures,
    l10n.t('Click to sort, Shift+click to add to the sort order, drag to move, right-click for more'),
  ]
    .filter((line) => line !== '')
    .join('\n');
  const level = sort.findIndex((key) => key.column === column);
  const words = [level >= 0 && sort.length > 1 ? l10n.t('Sort level {0}', level + 1) : '', figures];
  const description = words.filter((text) => text !== '').join(', ');
  if (description === '') title.removeAttribute('aria-description');
  else title.setAttribute('aria-description', description);
  title.querySelector('.grid-profile')?.remove();
  if (profile !== undefined) title.append(profileBars(profile));
}

function markSorting(title: HTMLElement, { sort }: GridModel, column: number): void {
  const level = sort.findIndex((key) => key.column === column);
  const key = sort[level];
  const direction = key === undefined ? 'none' : key.isDescending ? 'descending' : 'ascending';
  title.setAttribute('aria-sort', direction);
  if (direction === 'none') return;
  const mark = make('span', `grid-sort codicon ${sortIcons[direction]}`);
  mark.setAttribute('aria-hidden', 'true');
  title.append(mark);
  if (sort.length === 1) return;
  const number = make('span', 'grid-sort-level');
  number.textContent = String(level + 1);
  number.setAttribute('aria-hidden', 'true');
  title.append(number);
}
