import { withFilter } from './arrangement.ts';
import type { PageModel } from './pageModel.ts';
import type { PageView } from './pageView.ts';

/** Buttons that leave the rows of one kind: those whose first column says so. */
export function RowKinds({ model, view }: { model: PageModel; view: PageView }) {
  const { strings, state } = view;
  const { rowKinds } = state;
  if (rowKinds === undefined) return null;
  const total = rowKinds.reduce((sum, { rows }) => sum + rows, 0);
  const filter = model.arrangement.filters[0] ?? '';
  const choose = (text: string) => model.arrange({ filters: withFilter(model.arrangement.filters, 0, text) });
  const kinds = [{ text: '', rows: total }, ...rowKinds];
  return (
    <div class="chips" role="group" aria-label={strings.rowKinds}>
      {kinds.map(({ text, rows }) => {
        const own = text === '' ? '' : `=${text}`;
        return (
          <button
            type="button"
            class="chip"
            key={text}
            aria-pressed={filter === own}
            disabled={rows === 0}
            onClick={() => choose(own)}
          >
            {text === '' ? strings.allRows : text} <span class="chip-label">{rows.toLocaleString(strings.locale)}</span>
          </button>
        );
      })}
    </div>
  );
}
