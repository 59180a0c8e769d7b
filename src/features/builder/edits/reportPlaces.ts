import type {
  BuilderCriterion,
  BuilderEdit,
  BuilderField,
  BuilderLink,
  BuilderReport,
  BuilderTotal,
} from '../pageContract.ts';

/**
 * Maximum number of position changes that an edit may lag behind. An edit that lags further is based on an outdated
 * report.
 */
const remembered = 32;

/**
 * Tracks the positions of a report's entries. An edit that was made while another was pending may refer to outdated
 * positions; this maps them to the current ones.
 */
export class ReportPlaces {
  #version = 0;
  #report: BuilderReport | undefined;
  /** Each step leads from one version to the next, the last one to the current version. */
  #steps: Step[] = [];

  /**
   * Call when the report has changed.
   * @returns its version, which changes if a position refers to a different entry.
   */
  changed(report: BuilderReport): number {
    const step = this.#report && new Step(this.#report, report);
    this.#report = report;
    if (step?.isStill) return this.#version;
    this.#steps = step ? [...this.#steps, step].slice(-remembered) : [];
    return (this.#version += 1);
  }

  /** An edit of an earlier version with current positions; undefined if its target is gone or ambiguous. */
  edit(version: number, edit: BuilderEdit): BuilderEdit | undefined {
    return this.#follow(version, edit, (step, now) => step.edit(now));
  }

  /** The current index of a field in `FieldList`. */
  field(version: number, field: number): number | undefined {
    return this.#follow(version, field, (step, now) => step.field(now));
  }

  /** A position among the displayed fields. */
  shown(version: number, place: number): number | undefined {
    return this.#follow(version, place, (step, now) => step.shown(now));
  }

  #follow<T>(version: number, from: T, go: (step: Step, now: T) => T | undefined): T | undefined {
    const behind = this.#version - version;
    if (behind < 0 || behind > this.#steps.length) return undefined;
    const steps = this.#steps.slice(this.#steps.length - behind);
    return steps.reduce<T | undefined>((now, step) => (now === undefined ? undefined : go(step, now)), from);
  }
}

/** A change of a report: maps each entry before it to its position afterwards. */
class Step {
  readonly #before: BuilderReport;
  readonly #after: BuilderReport;
  readonly #fields: Same<BuilderField>;
  readonly #totals: Same<BuilderTotal>;
  readonly #links: Same<BuilderLink>;

  constructor(before: BuilderReport, after: BuilderReport) {
    this.#before = before;
    this.#after = after;
    this.#fields = match(stored(before), stored(after), fieldText, (one, other) => one.source === other.source);
    this.#totals = match(before.totals, after.totals, (total) => JSON.stringify({ ...total, index: 0 }));
    this.#links = match(
      before.links,
      after.links,
      ({ reportId, name, pairs }) => JSON.stringify([reportId, name, pairs]),
      (one, other) => one.reportId === other.reportId,
    );
  }

  /** Whether all positions refer to the same entries. Entries may have been appended. */
  get isStill(): boolean {
    const { fields, totals, links } = this.#before;
    const isStillField = (field: BuilderField, place: number) => {
      const now = this.#fields.get(field);
      const rows = rowsOf(field, now);
      const isHere = now?.index === field.index && this.#after.fields[place] === now;
      return isHere && field.criteria.every((row) => rows.get(row)?.row === row.row);
    };
    const isStillLink = (link: BuilderLink) => {
      const now = this.#links.get(link);
      const pairs = pairsOf(link, now);
      const isStillPair = (pair: Pair, place: number) => pairs.has(pair) && pairs.get(pair) === now?.pairs[place];
      return now?.index === link.index && link.pairs.every(isStillPair);
    };
    return (
      fields.every(isStillField) &&
      totals.every((total) => this.#totals.get(total)?.index === total.index) &&
      links.every(isStillLink)
    );
  }

  edit(edit: BuilderEdit): BuilderEdit | undefined {
    switch (edit.kind) {
      case 'renameField':
      case 'setUse':
      case 'setHidden':
      case 'setFormula':
      case 'removeField':
        return placed(edit, { field: this.field(edit.field) });
      case 'moveField':
        return placed(edit, { field: this.field(edit.field), place: this.shown(edit.place, edit.field) });
      case 'setCriterion':
      case 'removeCriterion':
        return placed(edit, { field: this.field(edit.field), row: this.#row(edit.field, edit.row) });
      case 'moveCriterion': {
        const [row, place] = [edit.row, edit.place].map((one) => this.#row(edit.field, one));
        return placed(edit, { field: this.field(edit.field), row, place });
      }
      case 'setTotal':
      case 'removeTotal':
        return placed(edit, { total: this.#totals.get(this.#before.totals[edit.total])?.index });
      case 'addPair':
      case 'removeLink':
        return placed(edit, { link: this.#links.get(this.#before.links[edit.link])?.index });
      case 'setPair':
      case 'removePair':
        return this.#pair(edit);
      default:
        return edit;
    }
  }

  field(index: number): number | undefined {
    return this.#fields.get(fieldAt(this.#before, index))?.index;
  }

  /** @param moving a field to exclude from the count. */
  shown(place: number, moving?: number): number | undefined {
    const counted = ({ fields }: BuilderReport, without?: number) => fields.filter(({ index }) => index !== without);
    const next = counted(this.#before, moving)[place];
    const there = counted(this.#after, moving === undefined ? undefined : this.field(moving));
    if (next === undefined) return there.length;
    const now = this.#fields.get(next);
    return now && there.indexOf(now);
  }

  #row(field: number, row: number): number | undefined {
    const before = fieldAt(this.#before, field);
    const found = before?.criteria.find((one) => one.row === row);
    return rowsOf(before, this.#fields.get(before)).get(found)?.row;
  }

  #pair(edit: PairEdit): BuilderEdit | undefined {
    const link = this.#before.links[edit.link];
    const now = this.#links.get(link);
    const pair = pairsOf(link, now).get(link?.pairs[edit.place]);
    return placed(edit, { link: now?.index, place: pair && now?.pairs.indexOf(pair) });
  }
}

type PairEdit = Extract<BuilderEdit, { kind: 'setPair' | 'removePair' }>;
type Pair = BuilderLink['pairs'][number];
/** Maps an entry to its new state. */
type Same<T> = ReadonlyMap<T | undefined, T>;

/** An edit with other positions; undefined if one of them is unknown. */
function placed<E extends BuilderEdit>(edit: E, places: { [K in keyof E]?: E[K] | undefined }): E | undefined {
  return Object.values(places).includes(undefined) ? undefined : { ...edit, ...places };
}

/** Fields in the order of `FieldList`. */
function stored({ fields }: BuilderReport): BuilderField[] {
  return fields.toSorted((one, other) => one.index - other.index);
}

function fieldAt({ fields }: BuilderReport, index: number): BuilderField | undefined {
  return fields.find((field) => field.index === index);
}

/** Identifies a field. Its criteria have their own positions. */
function fieldText(field: BuilderField): string {
  return JSON.stringify({ ...field, index: 0, sort: null, criteria: [] });
}

function rowsOf(before: BuilderField | undefined, after: BuilderField | undefined): Same<BuilderCriterion> {
  return match(before?.criteria ?? [], after?.criteria ?? [], (row) => JSON.stringify({ ...row, row: 0 }));
}

function pairsOf(before: BuilderLink | undefined, after: BuilderLink | undefined): Same<Pair> {
  return match(before?.pairs ?? [], after?.pairs ?? [], (pair) => JSON.stringify(pair));
}

/**
 * Maps entries of a list to those of the changed list. Entries with equal text match if their number is unchanged; in a
 * list of the same length, an entry with changed text matches the one at its position.
 * @param isKin whether an entry can have become another one by editing its content.
 */
function match<T>(
  before: readonly T[],
  after: readonly T[],
  textOf: (entry: T) => string,
  isKin: (one: T, other: T) => boolean = () => true,
): Same<T> {
  const texts = Map.groupBy(after, textOf);
  const found = new Map<T | undefined, T>();
  for (const [text, old] of Map.groupBy(before, textOf)) {
    const now = texts.get(text);
    if (now?.length === old.length) now.forEach((entry, order) => found.set(old[order], entry));
  }
  if (before.length !== after.length) return found;
  const taken = new Set(found.values());
  for (const [place, old] of before.entries()) {
    const now = after[place];
    if (!found.has(old) && now !== undefined && !taken.has(now) && isKin(old, now)) found.set(old, now);
  }
  return found;
}
