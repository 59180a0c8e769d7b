import type {
  BuilderContract,
  BuilderDocument,
  BuilderEdit,
  BuilderContext,
  BuilderTab,
  LiveSqlState,
  TargetChoice,
} from '../pageContract.ts';
import type { BuilderStrings } from '../pageStrings.ts';
import type { ParamsOf, RequestName } from '../../../contract/pages/channel.ts';
import { focusHere } from '../../../webview/shared/focusHere.ts';
import { HostLink } from '../../../webview/shared/hostLink.ts';

/** What the page draws. Replaced whole at every change. */
export interface BuilderPageView {
  strings: BuilderStrings;
  place: string;
  document: BuilderDocument;
  ground: BuilderContext;
  sql: LiveSqlState;
  tab: BuilderTab;
  /** Why the last thing could not be done; empty when it could. */
  remark: string;
}

/** What the page keeps while it is hidden. */
interface Kept {
  tab: BuilderTab;
  search: string;
}

const tabs: readonly BuilderTab[] = ['fields', 'criteria', 'totals', 'options'];

/** Requests that name the version that they were thought up in. */
type VersionedRequest = {
  [N in RequestName<BuilderContract>]: ParamsOf<BuilderContract, N> extends { version: number } ? N : never;
}[RequestName<BuilderContract>];

/** Requests that carry nothing and answer nothing. */
type PlainRequest = Exclude<
  {
    [N in RequestName<BuilderContract>]: ParamsOf<BuilderContract, N> extends null ? N : never;
  }[RequestName<BuilderContract>],
  'ready'
>;

/** The page's side of everything: holds what the host said last, asks for what the user wants. */
export class BuilderModel {
  readonly #link: HostLink<BuilderContract>;
  #view: BuilderPageView | undefined;
  #kept: Kept;
  #focus = '';
  #listener: () => void = () => undefined;
  #answered: Promise<void> = Promise.resolve();

  constructor() {
    this.#link = new HostLink<BuilderContract>({
      document: (document) => this.#follow(document),
      ground: (ground) => this.#change({ ground }),
      sql: (sql) => this.#change({ sql }),
      place: (place) => this.#change({ place }),
    });
    this.#kept = readKept(this.#link.kept);
  }

  /** What to draw; undefined until the host has answered. */
  get view(): BuilderPageView | undefined {
    return this.#view;
  }

  /** What was searched for in the tree. */
  get search(): string {
    return this.#kept.search;
  }

  /** Tells the host that the page is here and calls `listener` at every change. */
  async open(listener: () => void): Promise<void> {
    this.#listener = listener;
    const { sight, ...snapshot } = await this.#link.request('ready', null);
    if (sight !== null) this.#keep({ tab: sight.tab, search: sight.search });
    this.#view = { ...snapshot, tab: this.#kept.tab, remark: '' };
    this.#focus = sight?.focus ?? '';
    listener();
  }

  /** To be called when the page is first drawn: the focus goes where that of the page was that this one takes the place of. */
  drawn(): void {
    focusLabelled(this.#focus);
  }

  /** Tells the host what is shown now, for a page that may take the place of this one. */
  tellSight(): void {
    const focus = labelOf(document.activeElement);
    this.#link.request('shows', { ...this.#kept, focus }).catch(() => {
      // Nothing that the user asked for; what was told before stands.
    });
  }

  showTab(tab: BuilderTab): void {
    this.#keep({ tab });
    this.#change({ tab });
    this.tellSight();
  }

  keepSearch(search: string): void {
    this.#keep({ search });
  }

  /** Changes the document. */
  edit(edit: BuilderEdit): void {
    void this.make(edit);
  }

  /** Changes the document. @returns whether it was changed, once that shows. Never rejects. */
  make(edit: BuilderEdit): Promise<boolean> {
    const version = this.#view?.document.version ?? 0;
    return this.#count(this.#report(this.#link.request('edit', { edit, version })));
  }

  /** When the edits so far are answered: made or refused. Never rejects. */
  readonly answered = (): Promise<void> => this.#answered;

  /** Asks for a change that takes something from the server or the user. */
  do<N extends VersionedRequest>(name: N, params: Omit<ParamsOf<BuilderContract, N>, 'version'>): void {
    const version = this.#view?.document.version ?? 0;
    void this.#report(this.#link.request(name, { ...params, version }));
  }

  /** Sorts a field; the host asks the server for it where the field has no criteria. */
  sort(field: number, direction: 'asc' | 'desc' | null): void {
    const version = this.#view?.document.version ?? 0;
    void this.#count(this.#report(this.#link.request('sortField', { version, field, direction })));
  }

  /** Asks for something that is no change of the document. */
  ask(name: PlainRequest): void {
    void this.#report(this.#link.request(name, null));
  }

  /** Values of a field that match what was typed. Rejects with the reason when there are none to be had. */
  fieldValues(field: number, search: string) {
    return this.#link.request('fieldValues', { field, search });
  }

  /** Fields that a report to drill down to can be given; none, with a remark, where it cannot be read. */
  async targetFields(reportId: string): Promise<TargetChoice[]> {
    const answer = this.#link.request('targetFields', { reportId });
    await this.#report(answer);
    return answer.catch(() => []);
  }

  /** Takes the remark away. */
  dismiss(): void {
    this.#change({ remark: '' });
  }

  #count(answer: Promise<boolean>): Promise<boolean> {
    this.#answered = Promise.all([this.#answered, answer]).then(() => undefined);
    return answer;
  }

  async #report(answer: Promise<unknown>): Promise<boolean> {
    try {
      await answer;
      if (this.#view?.remark !== '') this.#change({ remark: '' });
      return true;
    } catch (error) {
      this.#change({ remark: error instanceof Error ? error.message : String(error) });
      return false;
    }
  }

  #follow(document: BuilderDocument): void {
    if (this.#view !== undefined) this.#change({ document: withSameFields(this.#view.document, document) });
  }

  #change(change: Partial<BuilderPageView>): void {
    if (this.#view === undefined) return;
    this.#view = { ...this.#view, ...change };
    this.#listener();
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    this.#link.keep(this.#kept);
  }
}

/** What an element is known by on the page: its id, or its label. */
function labelOf(element: Element | null): string {
  return element?.id || element?.getAttribute('aria-label') || '';
}

function focusLabelled(label: string): void {
  if (label === '') return;
  focusHere(
    () => document.getElementById(label) ?? document.querySelector<HTMLElement>(`[aria-label="${CSS.escape(label)}"]`),
  );
}

/** The page wrote it itself, but a release ago it may have been written differently. */
function readKept(value: unknown): Kept {
  const kept: { tab?: unknown; search?: unknown } = typeof value === 'object' && value !== null ? value : {};
  return {
    tab: tabs.find((tab) => tab === kept.tab) ?? 'fields',
    search: typeof kept.search === 'string' ? kept.search : '',
  };
}

/** The document as it is now, with the very fields of the one before where they say the same: those need not be drawn anew. */
export function withSameFields(before: BuilderDocument, now: BuilderDocument): BuilderDocument {
  const { report } = now;
  const earlier = before.report?.fields ?? [];
  if (report === null) return now;
  const fields = report.fields.map((field, place) => {
    const same = earlier[place];
    return same !== undefined && JSON.stringify(same) === JSON.stringify(field) ? same : field;
  });
  return { ...now, report: { ...report, fields } };
}
