import type { TagTable, TagTableChanges, TagValueRow, TagValuesContract } from '../pageContract.ts';
import { say } from '../../../webview/shared/liveRegion.ts';
import { HostLink } from '../../../webview/shared/hostLink.ts';
import * as l10n from '../../../l10n/l10n.ts';

export type TagSide = 'groups' | 'users';

/** State rendered by the page. Replaced as a whole on every change. */
export interface TagValuesView {
  table: TagTable;
  /** Edited default; undefined if unchanged. */
  defaultValue: string | undefined;
  /** Edited values by id; null removes a value. */
  edits: Readonly<Record<TagSide, ReadonlyMap<string, string | null>>>;
  find: string;
  isBusy: boolean;
  remark: string;
  /** Unsaved changes and the remark. */
  summary: string;
  fault: string;
}

const noEdits = { groups: new Map<string, string | null>(), users: new Map<string, string | null>() };

/** The page's model of a tag's values: the loaded values and the user's edits. */
export class TagValuesModel {
  readonly #link = new HostLink<TagValuesContract>({ changed: () => void this.#catchUp() });
  #view: TagValuesView | undefined;
  #listener: () => void = () => undefined;

  /** The state to render; undefined until the host has responded. */
  get view(): TagValuesView | undefined {
    return this.#view;
  }

  /** Number of changed values. */
  get unsaved(): number {
    if (!this.#view) return 0;
    const { edits, defaultValue } = this.#view;
    return edits.groups.size + edits.users.size + (defaultValue === undefined ? 0 : 1);
  }

  /** Requests the table from the host, and calls `listener` on every change. */
  async open(listener: () => void): Promise<void> {
    this.#listener = listener;
    const { table, draft } = await this.#link.request('ready', null);
    const start = { table, find: '', isBusy: false, remark: '', summary: '', fault: '' };
    this.#view = { ...start, defaultValue: undefined, edits: noEdits };
    if (draft) this.#change({ ...editsOf(draft), remark: l10n.t('not saved before the table was closed') });
    listener();
  }

  /** Filters the groups and users, and announces how many match: not for each letter, unless their number changes. */
  find(find: string): void {
    if (!this.#view) return;
    const { table, find: before } = this.#view;
    const countOf = (text: string) => [...table.groups, ...table.users].filter((row) => isMatch(row, text)).length;
    const count = countOf(find);
    if (find.trim() !== '' && (before.trim() === '' || count !== countOf(before))) say(matchesText(count));
    this.#change({ find });
  }

  setDefault(value: string): void {
    if (!this.#view || this.#view.isBusy) return;
    this.#change({ defaultValue: value === this.#view.table.defaultValue ? undefined : value, remark: '' });
  }

  /** Sets the value of a group or user, unless a save is in progress; null or empty text restores the default. */
  set(side: TagSide, { id, value: before }: TagValueRow, value: string | null): void {
    if (!this.#view || this.#view.isBusy) return;
    const wanted = value === '' ? null : value;
    const edited = new Map(this.#view.edits[side]);
    if (wanted === before || (wanted === null && before === '')) edited.delete(id);
    else edited.set(id, wanted);
    this.#change({ edits: { ...this.#view.edits, [side]: edited }, remark: '' });
  }

  /**
   * Sets the values of consecutive rows, one each; does nothing if there are fewer rows, or if the values have several
   * columns.
   */
  paste(side: TagSide, rows: readonly TagValueRow[], values: readonly string[]): void {
    if (!this.#view || this.#view.isBusy) return;
    if (values.length > rows.length || values.some((value) => value.includes('\t'))) {
      const remark = l10n.t(
        'Nothing was pasted: {0} lines for {1} rows. Paste one value per line.',
        values.length,
        rows.length,
      );
      this.#change({ remark });
      return;
    }
    values.forEach((value, index) => {
      const row = rows[index];
      if (row) this.set(side, row, value);
    });
  }

  /** Discards the changes, if the user confirms. */
  async revert(): Promise<void> {
    if (!(await this.#mayDiscard())) return;
    this.#change({ edits: noEdits, defaultValue: undefined, remark: '', fault: '' });
  }

  /** Saves the changes; they remain if saving fails. */
  async save(): Promise<void> {
    const view = this.#view;
    if (!view || view.isBusy || this.unsaved === 0) return;
    await this.#work(() => this.#link.request('save', changesOf(view)), l10n.t('Saved, and read back from the server'));
  }

  /** Reloads the table; changes are discarded, if the user confirms. */
  async reload(): Promise<void> {
    if (this.#view?.isBusy === false && (await this.#mayDiscard()))
      await this.#work(() => this.#link.request('reload', null), '');
  }

  /** Reloads the table unless it has unsaved changes: it no longer shows what was read back. */
  async #catchUp(): Promise<void> {
    if (!this.#view || this.#view.isBusy) return;
    if (this.unsaved === 0) await this.#work(() => this.#link.request('reload', null), '');
    else this.#change({ remark: '' });
  }

  async #mayDiscard(): Promise<boolean> {
    return this.unsaved === 0 || this.#link.request('mayDiscard', this.unsaved);
  }

  async #work(ask: () => Promise<TagTable>, remark: string): Promise<void> {
    this.#change({ isBusy: true, fault: '', remark: '' });
    try {
      const table = await ask();
      this.#change({ table, edits: noEdits, defaultValue: undefined, remark });
    } catch (error) {
      this.#change({ fault: error instanceof Error ? error.message : String(error) });
    } finally {
      this.#change({ isBusy: false });
    }
  }

  #change(change: Partial<TagValuesView>): void {
    if (!this.#view) return;
    const before = this.#view;
    this.#view = { ...before, ...change };
    this.#view = { ...this.#view, summary: summary(this.unsaved, this.#view) };
    const { summary: words, fault } = this.#view;
    if (words !== before.summary) say(words);
    if (fault !== before.fault) say(fault);
    // The host stores the edits, so that they outlive the page.
    if ('edits' in change || 'defaultValue' in change) {
      void this.#link.request('unsaved', this.unsaved > 0 ? changesOf(this.#view) : null);
    }
    this.#listener();
  }
}

/** Whether a group or user has the text that is looked for. */
export function isMatch({ name, detail }: TagValueRow, find: string): boolean {
  const wanted = find.trim().toLowerCase();
  return name.toLowerCase().includes(wanted) || detail.toLowerCase().includes(wanted);
}

function matchesText(count: number): string {
  if (count === 0) return l10n.t('No matches.');
  return count === 1 ? l10n.t('1 match') : l10n.t('{0} matches', count);
}

function summary(unsaved: number, { remark }: TagValuesView): string {
  if (unsaved === 0) return remark;
  const words = unsaved === 1 ? l10n.t('1 unsaved change') : l10n.t('{0} unsaved changes', unsaved);
  return remark === '' ? words : `${words} · ${remark}`;
}

function editsOf({ defaultValue, groups, users }: TagTableChanges): Pick<TagValuesView, 'defaultValue' | 'edits'> {
  const of = (changes: TagTableChanges['groups']) => new Map(changes.map(({ id, to }) => [id, to]));
  return { defaultValue: defaultValue?.to, edits: { groups: of(groups), users: of(users) } };
}

function changesOf({ table, edits, defaultValue }: TagValuesView): TagTableChanges {
  const of = (side: TagSide) =>
    [...edits[side]].map(([id, to]) => ({ id, from: table[side].find((row) => row.id === id)?.value ?? null, to }));
  return {
    defaultValue: defaultValue === undefined ? null : { from: table.defaultValue, to: defaultValue },
    groups: of('groups'),
    users: of('users'),
  };
}

/**
 * Values copied from a table column, one per line; undefined for a single line, which an input handles itself. An input
 * would join several lines, and so set the values of several groups on one.
 */
export function pastedValues(text: string): string[] | undefined {
  if (!/[\r\n]/.test(text)) return undefined;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.trim());
}
