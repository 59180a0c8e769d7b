import type {
  BuilderContract,
  BuilderDocument,
  BuilderEdit,
  BuilderContext,
  BuilderTab,
  LiveSqlState,
  TargetChoice,
} from '../pageContract.ts';
import type { ParamsOf, RequestName } from '../../../contract/pages/channel.ts';
import { say } from '../../../webview/shared/liveRegion.ts';
import { BuilderAnnouncements } from './announcements.ts';
import { focusHere } from '../../../webview/shared/pageFocus.ts';
import { HostLink } from '../../../webview/shared/hostLink.ts';

/** Data that the page renders. Immutable: replaced on every change. */
export interface BuilderPageView {
  place: string;
  document: BuilderDocument;
  ground: BuilderContext;
  sql: LiveSqlState;
  tab: BuilderTab;
  /** Why an action failed; empty once a later one has succeeded. */
  remark: string;
}

/** State that the page saves while hidden. */
interface Kept {
  tab: BuilderTab;
  search: string;
}

const tabs: readonly BuilderTab[] = ['fields', 'criteria', 'totals', 'options'];

/** Requests with the document version that they are based on. */
type VersionedRequest = {
  [N in RequestName<BuilderContract>]: ParamsOf<BuilderContract, N> extends { version: number } ? N : never;
}[RequestName<BuilderContract>];

/** Requests without parameters and answers. */
type PlainRequest = Exclude<
  {
    [N in RequestName<BuilderContract>]: ParamsOf<BuilderContract, N> extends null ? N : never;
  }[RequestName<BuilderContract>],
  'ready'
>;

/** Model of the page: holds the host's latest data and sends the user's requests. */
export class BuilderModel {
  readonly #link: HostLink<BuilderContract>;
  #view: BuilderPageView | undefined;
  #kept: Kept;
  #focus = '';
  readonly #announcements = new BuilderAnnouncements();
  #listener: () => void = () => undefined;
  #answered: Promise<void> = Promise.resolve();
  #failures = 0;

  constructor() {
    this.#link = new HostLink<BuilderContract>({
      document: (document) => this.#follow(document),
      ground: (ground) => this.#change({ ground }),
      sql: (sql) => this.#change({ sql }),
      place: (place) => this.#change({ place }),
    });
    this.#kept = readKept(this.#link.kept);
  }

  /** What to render; undefined until the host has answered. */
  get view(): BuilderPageView | undefined {
    return this.#view;
  }

  /** Search text of the tree. */
  get search(): string {
    return this.#kept.search;
  }

  /** Notifies the host that the page has loaded, and calls `listener` on every change. */
  async open(listener: () => void): Promise<void> {
    this.#listener = listener;
    const { sight, ...snapshot } = await this.#link.request('ready', null);
    if (sight !== null) this.#keep({ tab: sight.tab, search: sight.search });
    this.#view = { ...snapshot, tab: this.#kept.tab, remark: '' };
    this.#focus = sight?.focus ?? '';
    listener();
  }

  /** Call after the first render: restores the focus of the page that this one replaces. */
  drawn(): void {
    focusLabelled(this.#focus);
  }

  /** Reports what is shown to the host, for a page that may replace this one. */
  tellSight(): void {
    const focus = labelOf(document.activeElement);
    this.#link.request('shows', { ...this.#kept, focus }).catch(() => {
      // The user did not request this; the last reported state remains valid.
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

  /** Sends an edit of the document. */
  edit(edit: BuilderEdit): void {
    void this.make(edit);
  }

  /** Sends an edit of the document. @returns whether it was applied, once the change is visible. Never rejects. */
  make(edit: BuilderEdit): Promise<boolean> {
    const version = this.#view?.document.version ?? 0;
    return this.#count(this.#report(this.#link.request('edit', { edit, version })));
  }

  /** Resolves when the edits so far are applied or rejected. Never rejects. */
  readonly answered = (): Promise<void> => this.#answered;

  /** Sends a change that needs input from the server or the user. */
  do<N extends VersionedRequest>(name: N, params: Omit<ParamsOf<BuilderContract, N>, 'version'>): void {
    const version = this.#view?.document.version ?? 0;
    void this.#report(this.#link.request(name, { ...params, version }));
  }

  /** Sorts a field. If the field has no criteria, the host requests a row from the server. */
  sort(field: number, direction: 'asc' | 'desc' | null): void {
    const version = this.#view?.document.version ?? 0;
    void this.#count(this.#report(this.#link.request('sortField', { version, field, direction })));
  }

  /** Sends a request that does not change the document. */
  ask(name: PlainRequest): void {
    void this.#report(this.#link.request(name, null));
  }

  /** Values of a field that match the typed text. Rejects with the reason if there are none available. */
  fieldValues(field: number, search: string) {
    return this.#link.request('fieldValues', { field, search });
  }

  /** Fields of a drill-down target that can receive values; empty, with a remark, if it cannot be loaded. */
  async targetFields(reportId: string): Promise<TargetChoice[]> {
    const answer = this.#link.request('targetFields', { reportId });
    await this.#report(answer);
    return answer.catch(() => []);
  }

  /** Removes the remark. */
  dismiss(): void {
    this.#change({ remark: '' });
  }

  #count(answer: Promise<boolean>): Promise<boolean> {
    this.#answered = Promise.all([this.#answered, answer]).then(() => undefined);
    return answer;
  }

  async #report(answer: Promise<unknown>): Promise<boolean> {
    const failures = this.#failures;
    try {
      await answer;
      // The reason of what failed while this was pending has not been read yet.
      if (failures === this.#failures && this.#view?.remark !== '') this.#change({ remark: '' });
      return true;
    } catch (error) {
      this.#failures += 1;
      this.#change({ remark: error instanceof Error ? error.message : String(error) });
      return false;
    }
  }

  #follow(document: BuilderDocument): void {
    if (this.#view !== undefined) this.#change({ document: withSameFields(this.#view.document, document) });
  }

  #change(change: Partial<BuilderPageView>): void {
    if (this.#view === undefined) return;
    const before = this.#view;
    this.#view = { ...before, ...change };
    for (const text of this.#announcements.of(before, this.#view)) say(text);
    this.#listener();
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    this.#link.keep(this.#kept);
  }
}

/** Identifies an element on the page: its id or its label. */
function labelOf(element: Element | null): string {
  return element?.id || element?.getAttribute('aria-label') || '';
}

function focusLabelled(label: string): void {
  if (label === '') return;
  focusHere(
    () => document.getElementById(label) ?? document.querySelector<HTMLElement>(`[aria-label="${CSS.escape(label)}"]`),
  );
}

/** The page wrote the value, but possibly in an older version. */
function readKept(value: unknown): Kept {
  const kept: { tab?: unknown; search?: unknown } = typeof value === 'object' && value !== null ? value : {};
  return {
    tab: tabs.find((tab) => tab === kept.tab) ?? 'fields',
    search: typeof kept.search === 'string' ? kept.search : '',
  };
}

/** The current document, reusing unchanged field objects of the previous one so that they are not rendered again. */
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
