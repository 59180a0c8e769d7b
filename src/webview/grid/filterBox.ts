import { fill } from '../../contract/pages/resultsStrings.ts';
import { make } from './gridModel.ts';
import type { GridModel } from './gridModel.ts';

/** What a filter box reports. */
export interface FilterBoxEvents {
  onFilter(column: number, text: string): void;
  /** The user pressed a key that leaves a filter for the rows. */
  onLeaveFilter(): void;
}

/** The box that a column is filtered with; one that several columns of the result make says why it is none. */
export function filterBox(model: GridModel, column: number, events: FilterBoxEvents): HTMLInputElement {
  const { columns, filters, strings } = model;
  const { title = '', ofResult = null } = columns[column] ?? {};
  const box = make('input', 'grid-filter-box');
  box.type = 'text';
  box.spellcheck = false;
  box.setAttribute('aria-label', fill(strings.filterOf, title));
  if (ofResult === null) {
    box.readOnly = true;
    box.title = strings.madeColumn;
    box.setAttribute('aria-description', strings.madeColumn);
  } else {
    box.value = filters[ofResult] ?? '';
    box.placeholder = strings.filterColumns;
    showProblem(box, model, ofResult);
    box.addEventListener('input', () => events.onFilter(ofResult, box.value));
  }
  box.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape' && box.value !== '') {
      box.value = '';
      box.dispatchEvent(new Event('input'));
    } else if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      events.onLeaveFilter();
    }
  });
  return box;
}

/** Shows what is wrong with a filter, without touching what is being typed. `ofResult` is the column of the result. */
export function showProblem(box: HTMLInputElement, { filterProblems, strings }: GridModel, ofResult: number): void {
  const problem = filterProblems[ofResult] ?? '';
  box.setAttribute('aria-invalid', String(problem !== ''));
  box.title = problem || strings.filterHint;
}
