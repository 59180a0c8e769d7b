import type { EndpointPath } from '../../contract/endpoints.ts';

/*
 * A second dialect of the lists that the API description does not define, for tests of clients (`--dialect other`). The
 * server speaks it at its edge only: the rooms know their own form. Their own form is refused here.
 */

type Fields = Record<string, unknown>;

/** A list in both dialects. */
interface Translation {
  own: string;
  other: string;
  toOther: (entry: Fields) => Fields;
  toOwn: (entry: Fields) => Fields;
  /** Whether an entry is in the other dialect. */
  isOther: (entry: Fields) => boolean;
}

const yes = (value: unknown) => (value === true ? 'Y' : 'N');

const totals: Translation = {
  own: 'AdHocFields',
  other: 'AdHocFields',
  toOther: ({ type, func, field1, field2, Value2, percent, addgtotal }) => ({
    AdHocID: 0,
    Summary: {
      Kind: type === 'calc' ? 'FORMULA' : 'SUMMARY',
      Function: func,
      ColumnA: field1,
      ColumnB: field2 ?? '',
      Constant: Value2 ?? '',
      ShowPercent: yes(percent === 'true' ? true : percent),
      GrandTotal: yes(addgtotal),
    },
  }),
  toOwn: ({ Summary }) => {
    const { Kind, Function: func, ColumnA, ColumnB, Constant, ShowPercent, GrandTotal } = fieldsOf(Summary);
    return {
      type: Kind === 'FORMULA' ? 'calc' : 'total',
      func,
      field1: ColumnA,
      field2: ColumnB,
      Value2: Constant,
      percent: ShowPercent === 'Y',
      addgtotal: GrandTotal === 'Y',
    };
  },
  isOther: ({ Summary }) => isFields(Summary) && ['FORMULA', 'SUMMARY'].includes(String(Summary.Kind)),
};

const links: Translation = {
  own: 'linkreports',
  other: 'linkreports',
  toOther: ({ ReportID, Name, Links }) => ({
    TargetReport: { Id: ReportID, Title: Name ?? '' },
    Parameters: listOf(Links).map(({ Field, TargetField }) => ({
      Source: { Column: Field },
      Target: { Prompt: TargetField },
    })),
  }),
  toOwn: ({ TargetReport, Parameters }) => ({
    ReportID: fieldsOf(TargetReport).Id,
    Name: fieldsOf(TargetReport).Title,
    Links: listOf(Parameters).map(({ Source, Target }) => ({
      Field: fieldsOf(Source).Column,
      TargetField: fieldsOf(Target).Prompt,
    })),
  }),
  isOther: ({ TargetReport, Parameters }) => isFields(TargetReport) && Array.isArray(Parameters),
};

const joins: Translation = {
  own: 'Joins',
  other: 'TableLinks',
  toOther: ({ kind, leftAlias, leftColumn, rightAlias, rightColumn }) => ({
    JoinType: kind === 'left' ? 'LEFT JOIN' : 'INNER JOIN',
    From: `${String(leftAlias)}.${String(leftColumn)}`,
    To: `${String(rightAlias)}.${String(rightColumn)}`,
  }),
  toOwn: ({ JoinType, From, To }) => {
    const [leftAlias = '', leftColumn = ''] = String(From).split('.');
    const [rightAlias = '', rightColumn = ''] = String(To).split('.');
    return { kind: JoinType === 'LEFT JOIN' ? 'left' : 'inner', leftAlias, leftColumn, rightAlias, rightColumn };
  },
  isOther: ({ From, To, JoinType }) => typeof From === 'string' && typeof To === 'string' && JoinType !== undefined,
};

const userValues: Translation = {
  own: 'Contacts',
  other: 'Contacts',
  toOther: ({ RightID, Option1 }) => ({
    User: { ID: RightID },
    TagValue: Option1 ?? '',
    RelationType: 'tag_contact',
  }),
  toOwn: ({ User, TagValue }) => ({
    RightID: fieldsOf(User).ID,
    Option1: TagValue,
    RelationshipType: 'tag_usr',
    RelationType: 'tag_usr',
  }),
  isOther: ({ User, RelationType }) => isFields(User) && RelationType === 'tag_contact',
};

const translations: readonly (readonly [RegExp, readonly Translation[]])[] = [
  [/^Report\//, [totals, links]],
  [/^DataTag\//, [userValues]],
  [/^AppBuilder\//, [joins]],
];

/** A request in this server's own dialect. @throws Error naming the list, for entries in any other form. */
export function fromOtherDialect(path: EndpointPath, body: unknown): unknown {
  return translated(path, body, (holder, { own, other, isOther, toOwn }) => {
    const kept = Object.hasOwn(holder, own) && own !== other ? listOf(holder[own]) : [];
    const entries = listOf(holder[other]);
    if (kept.length > 0 || !entries.every(isOther)) {
      throw new Error(`This server does not take ${own} in this form`);
    }
    if (Object.hasOwn(holder, other)) replace(holder, other, own, entries.map(toOwn));
  });
}

/** A reply in the other dialect. */
export function toOtherDialect(path: EndpointPath, reply: unknown): unknown {
  return translated(path, reply, (holder, { own, other, toOther }) => {
    if (Array.isArray(holder[own])) replace(holder, own, other, listOf(holder[own]).map(toOther));
  });
}

function translated(path: EndpointPath, value: unknown, apply: (holder: Fields, of: Translation) => void): unknown {
  const lists = path === 'Report/NewTotals' ? undefined : translations.find(([pattern]) => pattern.test(path))?.[1];
  if (!lists) return value;
  const copy = structuredClone(value);
  const visit = (at: unknown) => {
    if (Array.isArray(at)) at.forEach(visit);
    if (!isFields(at)) return;
    for (const translation of lists) apply(at, translation);
    for (const [name, below] of Object.entries(at)) if (!['AdHocFields', 'linkreports'].includes(name)) visit(below);
  };
  visit(copy);
  return copy;
}

function replace(holder: Fields, from: string, to: string, list: unknown): void {
  if (from !== to) Reflect.deleteProperty(holder, from);
  holder[to] = list;
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
