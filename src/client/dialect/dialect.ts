import type { EndpointPath } from '../../contract/endpoints.ts';
import { parseExactJson, writeExactJson } from '../http/reply/exactJson.ts';
import { commonForm, isEntry, type Entry } from './entryText.ts';
import { formOf, isOurs, type Form } from './form.ts';
import { listKinds, type ListName } from './lists.ts';

/** How a server writes a list: as we do, or in its own form and possibly under a name of its own. */
type Learned = 'ours' | { form: Form; property: string };

/** Properties that lead from a body or reply to the objects with the lists. */
const ways = [
  'report',
  'Report',
  'Reportobj',
  'TargetReportobj',
  'PreviousMetadata',
  'datatag',
  'anydbmodule',
  'ReportTypes',
];
const listsOf: readonly (readonly [RegExp, readonly ListName[]])[] = [
  [/^Report\//, ['totals', 'links']],
  [/^DataTag\//, ['userValues']],
  [/^AppBuilder\/\w+AnyDbModule$/, ['joins']],
];
/** Lists of a report type that the API description defines. */
const describedLists = new Set(['SQLTables', 'FieldTree']);

/**
 * How one server writes the lists whose entries the API description does not define, learned from the objects that it
 * returns. Everything above the client sees them in our form; a save writes them in the server's. An entry that would
 * not survive both ways stays as received.
 */
export class Dialect {
  readonly #learned = new Map<ListName, Learned>();
  /** Entries in our form that a server with another one returned: they go back unchanged. */
  readonly #asReceived = new Set<string>();

  /** @param speaksOurs whether the server is known to write our form. */
  constructor(speaksOurs = false) {
    if (speaksOurs) for (const name of Object.keys(listKinds) as ListName[]) this.#learned.set(name, 'ours');
  }

  /** Whether the server has shown how it writes a list. */
  knows(name: ListName): boolean {
    return this.#learned.has(name);
  }

  /** Lists in a request whose form is still unknown, and which have entries in our form. */
  unknownIn(path: EndpointPath, body: object): ListName[] {
    return namesFor(path).filter((name) => {
      if (this.#learned.has(name)) return false;
      const { property } = listKinds[name];
      return holdersIn(body).some((holder) =>
        entriesIn(holder[property]).some((entry) => isOurs(listKinds[name], entry)),
      );
    });
  }

  /** A reply's text with its lists in our form. */
  readReply(path: EndpointPath, text: string): string {
    const names = namesFor(path).filter((name) => this.#learned.get(name) !== 'ours');
    if (names.length === 0) return text;
    const value = parsed(text);
    if (value === undefined) return text;
    const holders = holdersIn(value);
    for (const name of names) this.#learn(name, holders);
    if (!names.some((name) => typeof this.#learned.get(name) === 'object')) return text;
    return JSON.stringify(mapped(value, (holder) => this.#toOurs(names, holder)));
  }

  /** A request's body with its lists in the server's form. */
  writeBody<T extends object>(path: EndpointPath, body: T): T {
    const names = namesFor(path).filter((name) => typeof this.#learned.get(name) === 'object');
    return names.length === 0 ? body : (mapped(body, (holder) => this.#toWire(names, holder)) as T);
  }

  #learn(name: ListName, holders: readonly Entry[]): void {
    if (this.#learned.has(name)) return;
    const kind = listKinds[name];
    for (const property of propertiesOf(name, holders)) {
      const entries = holders.flatMap((holder) => entriesIn(holder[property]));
      if (property === kind.property && entries.some((entry) => isOurs(kind, entry) && !isOtherWord(name, entry))) {
        this.#learned.set(name, 'ours');
        return;
      }
      const sample = commonForm(entries.filter((entry) => formOf(kind, entry) !== undefined && isWholeSample(entry)));
      const form = sample && formOf(kind, sample);
      if (!form) continue;
      this.#learned.set(name, { form, property });
      return;
    }
  }

  #toOurs(names: readonly ListName[], holder: Entry): Entry {
    const read = (form: Form, name: ListName, list: readonly unknown[]): unknown[] => {
      const ours = list.map((entry) => {
        if (!isEntry(entry) || !form.reads(entry)) return undefined;
        const shown = form.toOurs(entry);
        return listKinds[name].isWhole(shown) ? shown : undefined;
      });
      for (const [index, entry] of list.entries()) {
        if (isEntry(entry) && !ours[index] && needsWire(name, entry)) this.#asReceived.add(keyOf(name, entry));
      }
      return ours.map((shown, index) => (shown && !this.#asReceived.has(keyOf(name, shown)) ? shown : list[index]));
    };
    return this.#replaced(names, holder, read, true);
  }

  #toWire(names: readonly ListName[], holder: Entry): Entry {
    const write = (form: Form, name: ListName, list: readonly unknown[]): unknown[] =>
      list.map((entry) => {
        const isNew = isEntry(entry) && needsWire(name, entry) && !this.#asReceived.has(keyOf(name, entry));
        return isNew ? form.toWire(entry) : entry;
      });
    return this.#replaced(names, holder, write, false);
  }

  #replaced(
    names: readonly ListName[],
    holder: Entry,
    map: (form: Form, name: ListName, list: readonly unknown[]) => unknown[],
    isToOurs: boolean,
  ): Entry {
    let changed = holder;
    for (const name of names) {
      const learned = this.#learned.get(name);
      if (typeof learned !== 'object') continue;
      const ours = listKinds[name].property;
      const [from, to] = isToOurs ? [learned.property, ours] : [ours, learned.property];
      const list = Object.hasOwn(changed, from) ? changed[from] : undefined;
      // A server with both properties means something else by ours.
      if (!Array.isArray(list) || (isToOurs && from !== to && Object.hasOwn(changed, to))) continue;
      const value = map(learned.form, name, list);
      changed = Object.fromEntries(
        Object.entries(changed)
          .filter(([key]) => key !== to || from === to)
          .map(([key, other]) => (key === from ? [to, value] : [key, other])),
      );
    }
    return changed;
  }
}

/** Whether an entry is one of ours, also unfinished: those that the server wrote in its form do not have our names. */
function needsWire(name: ListName, entry: Entry): boolean {
  const { parts, pairs } = listKinds[name];
  const required = pairs ? pairs.flatMap(({ names }) => names) : parts.map((part) => part.name);
  return required.some((part) => Object.hasOwn(entry, part));
}

function keyOf(name: ListName, entry: Entry): string {
  return `${name} ${writeExactJson(entry)}`;
}

/** Entries of a user's value have the names of ours, but may have another word. */
function isOtherWord(name: ListName, entry: Entry): boolean {
  if (name !== 'userValues') return false;
  const word = entry.RelationshipType ?? entry.RelationType;
  return typeof word === 'string' && word !== '' && word !== 'tag_usr';
}

/** Whether an entry shows the form of its own lists. */
function isWholeSample(entry: Entry): boolean {
  return !Object.values(entry).some((value) => Array.isArray(value) && value.length === 0);
}

function namesFor(path: EndpointPath): readonly ListName[] {
  if (path === 'Report/NewTotals') return [];
  return listsOf.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}

/** Properties that may hold a list: only joins have no described name. */
function propertiesOf(name: ListName, holders: readonly Entry[]): string[] {
  const own = listKinds[name].property;
  if (name !== 'joins') return [own];
  const others = holders.flatMap((holder) => Object.keys(holder).filter((key) => Array.isArray(holder[key])));
  return [own, ...new Set(others.filter((key) => key !== own && key !== 'ReportTypes' && !describedLists.has(key)))];
}

function entriesIn(list: unknown): Entry[] {
  return Array.isArray(list) ? list.filter(isEntry) : [];
}

/** All objects of a body or reply that may hold lists. */
function holdersIn(value: unknown): Entry[] {
  const holders: Entry[] = [];
  mapped(value, (holder) => {
    holders.push(holder);
    return holder;
  });
  return holders;
}

/** Applies `map` to the objects that may hold lists. */
function mapped(value: unknown, map: (holder: Entry) => Entry, depth = 0): unknown {
  if (depth > 4) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => mapped(each, map, depth + 1));
  if (!isEntry(value)) return value;
  const below = ways.filter((name) => Object.hasOwn(value, name) && typeof value[name] === 'object');
  const own = map(value);
  return below.length === 0
    ? own
    : { ...own, ...Object.fromEntries(below.map((name) => [name, mapped(own[name], map, depth + 1)])) };
}

/** The value with all digits of its numbers; undefined if the text is not JSON or ambiguous, which decoding reports. */
function parsed(text: string): unknown {
  try {
    parseExactJson(text);
    return JSON.parse(text, (_key, each: unknown, { source }) =>
      typeof each === 'number' && source !== undefined && String(each) !== source ? JSON.rawJSON(source) : each,
    );
  } catch {
    return undefined;
  }
}
