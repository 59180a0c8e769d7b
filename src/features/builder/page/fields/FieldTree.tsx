import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BuilderContext, TreeEntry } from '../../pageContract.ts';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import type { BuilderModel } from '../builderModel.ts';
import { say } from '../../../../webview/shared/liveRegion.ts';
import { startDrag } from '../reorder.ts';
import { kept } from '../controls.tsx';
import {
  drawnRows,
  firstUnfolded,
  searchableTree,
  shownEntries,
  siblingPlaces,
  type SiblingPlace,
} from './treeRows.ts';
import { typeIcon } from './fieldUses.ts';
import * as l10n from '../../../../l10n/l10n.ts';

const rowHeight = 24;
/** Rows rendered beyond both edges, so that scrolling shows no blank area. */
const spareRows = 10;

interface FieldTreeProps {
  model: BuilderModel;
  /** Columns that the report already has, one per line. */
  sources: string;
  ground: Extract<BuilderContext, { kind: 'ready' }>;
}

/** The report type's fields: search and collapse; add with Enter, double-click or drag and drop. */
export const FieldTree = kept(DrawnFieldTree);

function DrawnFieldTree({ model, sources, ground }: FieldTreeProps) {
  const tree = useMemo(() => searchableTree(ground.tree), [ground.tree]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(() => firstUnfolded(tree));
  const [search, setSearch] = useState(model.search);
  // The entry, not its row: rows above it come and go.
  const [active, setActiveEntry] = useState(-1);
  const rows = useMemo(() => shownEntries(tree, unfolded, search), [tree, unfolded, search]);
  const used = useMemo(() => new Set(sources.split('\n')), [sources]);
  const counted = useRef<{ search: string; count: number }>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(0, rows.indexOf(active));
  const setActive = (row: number) => setActiveEntry(rows[row] ?? -1);
  const places = useMemo(() => siblingPlaces(tree, rows), [tree, rows]);
  useEffect(() => setUnfolded(firstUnfolded(tree)), [tree]);
  useEffect(() => {
    const count = rows.filter((place) => tree.entries[place]?.isFolder === false).length;
    const before = counted.current;
    counted.current = { search, count };
    // Not for a search that the page was opened with, and not for every letter.
    if (before === undefined || search.trim() === '') return;
    if (count === before.count && before.search !== '' && search.startsWith(before.search)) return;
    if (count === 0) say(l10n.t('No field matches "{0}".', search));
    else say(count === 1 ? l10n.t('1 field found') : l10n.t('{0} fields found', count));
  }, [search]);

  const add = (entries: number[]) => {
    model.do('addFields', { entries, place: null });
  };
  const fold = (place: number, isOpen: boolean) => {
    const next = new Set(unfolded);
    if (isOpen) next.add(place);
    else next.delete(place);
    setUnfolded(next);
  };
  const isOpen = (place: number) => search.trim() !== '' || unfolded.has(place);
  const find = (text: string) => {
    setSearch(text);
    setActiveEntry(-1);
    model.keepSearch(text);
    list.current?.scrollTo({ top: 0 });
  };
  const press = (event: KeyboardEvent) => {
    const place = rows[at] ?? -1;
    const entry = tree.entries[place];
    const last = rows.length - 1;
    const steps: Partial<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: last,
      PageDown: at + 15,
      PageUp: at - 15,
    };
    const step = steps[event.key];
    if (step !== undefined) setActive(Math.max(0, Math.min(last, step)));
    else if (event.key === 'ArrowRight' && entry?.isFolder === true) {
      if (isOpen(place)) setActive(Math.min(last, at + 1));
      else fold(place, true);
    } else if (event.key === 'ArrowLeft' && entry?.isFolder === true && unfolded.has(place)) fold(place, false);
    else if (event.key === 'ArrowLeft') setActive(Math.max(0, rows.indexOf(tree.parents[place] ?? -1)));
    else if ((event.key === 'Enter' || event.key === ' ') && entry !== undefined) {
      if (entry.isFolder) fold(place, !unfolded.has(place));
      else add([place]);
    } else return;
    event.preventDefault();
  };

  return (
    <>
      <div class="tree-search">
        <Icon name="search" />
        <input
          type="text"
          class="input"
          value={search}
          placeholder={l10n.t('Search fields')}
          aria-label={l10n.t('Search fields')}
          aria-controls={rows.length === 0 ? undefined : 'field-tree'}
          spellcheck={false}
          onInput={(event) => find(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && search !== '') find('');
            else if (event.key === 'ArrowDown') list.current?.focus();
            else if (event.key === 'Enter') {
              const [first] = rows.filter((place) => tree.entries[place]?.isFolder === false);
              if (first !== undefined) add([first]);
            } else return;
            event.preventDefault();
          }}
        />
      </div>
      {rows.length === 0 ? (
        <p class="pane-note">{l10n.t('No field matches "{0}".', search)}</p>
      ) : (
        <TreeRows {...{ tree, rows, places, used, at, list, isOpen, press, add, fold }} onActive={setActive} />
      )}
    </>
  );
}

interface TreeRowsProps {
  tree: ReturnType<typeof searchableTree>;
  rows: readonly number[];
  /** Position among siblings, by row. */
  places: readonly SiblingPlace[];
  /** Columns that the report already has. */
  used: ReadonlySet<string>;
  at: number;
  list: { current: HTMLDivElement | null };
  isOpen: (place: number) => boolean;
  press: (event: KeyboardEvent) => void;
  add: (entries: number[]) => void;
  fold: (place: number, isOpen: boolean) => void;
  onActive: (row: number) => void;
}

/** Renders only the visible rows, whatever the size of the tree. */
function TreeRows(props: TreeRowsProps) {
  const { tree, rows, at, list } = props;
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const [start, end] = [at * rowHeight, (at + 1) * rowHeight];
    if (start < element.scrollTop) element.scrollTop = start;
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
  }, [at]);
  const first = Math.max(0, Math.floor(top / rowHeight) - spareRows);
  const count = Math.ceil(height / rowHeight) + 2 * spareRows;
  const surface = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (surface.current !== null) surface.current.style.height = `${rows.length * rowHeight}px`;
  });
  return (
    <div
      id="field-tree"
      ref={(element) => void (list.current = element)}
      class="tree"
      role="tree"
      tabIndex={0}
      aria-label={l10n.t('Available fields')}
      aria-activedescendant={`entry-${rows[at] ?? -1}`}
      onKeyDown={props.press}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div class="tree-surface" ref={surface} role="presentation">
        {drawnRows(first, first + count, at, rows.length).map((row) => {
          const place = rows[row] ?? -1;
          const entry = tree.entries[place];
          return entry && <TreeRow key={place} {...{ ...props, entry, place, row }} />;
        })}
      </div>
    </div>
  );
}

function TreeRow({ entry, place, row, ...props }: TreeRowsProps & { entry: TreeEntry; place: number; row: number }) {
  const { used, at } = props;
  const isUsed = !entry.isFolder && used.has(entry.source);
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current === null) return;
    element.current.style.top = `${row * rowHeight}px`;
    element.current.style.paddingLeft = `${6 + entry.depth * 12}px`;
  });
  return (
    <div
      id={`entry-${place}`}
      ref={element}
      class={`tree-row${row === at ? ' is-active' : ''}`}
      role="treeitem"
      aria-level={entry.depth + 1}
      aria-posinset={props.places[row]?.place}
      aria-setsize={props.places[row]?.count}
      aria-expanded={entry.isFolder ? props.isOpen(place) : undefined}
      aria-selected={row === at}
      aria-label={
        entry.isFolder
          ? entry.label
          : l10n.t(isUsed ? '{0}, {1}, in the report' : '{0}, {1}', entry.label, entry.source)
      }
      title={entry.isFolder ? undefined : `${entry.label}\n${entry.source}`}
      draggable={!entry.isFolder}
      onDragStart={(event) => startDrag(event, { kind: 'entries', entries: [place] })}
      onClick={() => {
        props.onActive(row);
        if (entry.isFolder) props.fold(place, !props.isOpen(place));
      }}
      onDblClick={() => !entry.isFolder && props.add([place])}
    >
      <Icon name={entry.isFolder ? (props.isOpen(place) ? 'chevron-down' : 'chevron-right') : typeIcon(entry.type)} />
      <span class="tree-label">{entry.label}</span>
      {isUsed && (
        <span class="tree-used">
          <Icon name="check" />
        </span>
      )}
      {!entry.isFolder && (
        <button
          type="button"
          class="tree-add"
          tabIndex={-1}
          title={l10n.t('Add {0}', entry.label)}
          aria-label={l10n.t('Add {0}', entry.label)}
          onClick={(event) => {
            event.stopPropagation();
            props.add([place]);
          }}
        >
          <Icon name="add" />
        </button>
      )}
    </div>
  );
}
