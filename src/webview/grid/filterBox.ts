import { fill } from '../../protocol/resultsStrings.ts';
import { make } from './gridModel.ts';
import type { GridModel } from './gridModel.ts';

/** What a filter box reports. */
export interface FilterBoxEvents {
  onFilter(column: number, text: string): void;
  /** The user pressed a key that leaves a filter for the rows. */
  onLeaveFilter(): void;
}

/** The box that a column is filtered with. */
export function filterBox(model: GridModel, column: number, events: FilterBoxEvents): HTMLInputElement {
  const { columns, filters, strings } = model;
  const box = make('input', 'grid-filter-box');
  box.type = 'text';
  box.value = filters[column] ?? '';
  box.spellcheck = false;
  box.placeholder = strings.filterColumns;
  box.setAttribute('aria-label', fill(strings.filterOf, columns[column]?.title ?? ''));
  showProblem(box, model, column);
  box.addEventListener('input', () => events.onFilter(column, box.value));
  box.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape' && box.value !== '') {
      box.value = '';
      events.onFilter(column, '');
    } else if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      events.onLeaveFilter();
    }
  });
  return box;
}

/** Shows what is wrong with a filter, without touching what is being typed. */
export function showProblem(box: HTMLInputElement, { filterProblems, strings }: GridModel, column: number): void {
  const problem = filterProblems[column] ?? '';
  box.setAttribute('aria-invalid', String(problem !== ''));
  box.title = problem || strings.filterHint;
}
