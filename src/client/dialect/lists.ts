import { isEntry, type Entry } from './entryText.ts';

/** A list whose entries the API description does not define, and that servers write in forms of their own. */
export type ListName = 'totals' | 'links' | 'joins' | 'userValues';

/** A part of an entry, with its name in our form. */
export interface Part {
  readonly name: string;
  /** Finds it by the words of its path in another form; see `wordsOf`. */
  readonly finds: RegExp;
  /** Servers write flags also as numbers and words. */
  readonly isFlag?: boolean;
  /** A word of our own, which servers may spell differently. */
  readonly isWord?: boolean;
  /** Every entry has the same word, also those of ours that omit it. */
  readonly isConstant?: boolean;
  /** Parts of the entries of a list. */
  readonly parts?: readonly Part[];
}

/** How a list is recognised, and what its entries consist of. */
export interface ListKind {
  /** Property that holds it, in our form. */
  readonly property: string;
  /** Parts in the order in which they are found: the most specific name first. */
  readonly parts: readonly Part[];
  /** Names of parts that another form may write as one text: `alias.column`. */
  readonly pairs?: readonly { readonly names: readonly [string, string]; readonly finds: RegExp }[];
  /** Whether an entry in our form has everything that it needs. */
  isWhole(entry: Entry): boolean;
  /** The word of ours for an entry whose other parts are known. */
  word(entry: Entry, part: string, written: unknown): string | undefined;
  /** Properties of our new entries that a server with another form does not know. */
  readonly fillers?: RegExp;
}

const aggregate = /^(?:sum|avg|average|mean|min|max|minimum|maximum|count|count distinct|stddev|variance|std|var)$/i;
const operator = /^[-+*/]$/;

const totals: ListKind = {
  property: 'AdHocFields',
  parts: [
    { name: 'addgtotal', finds: /\bg(?:rand)? ?total/, isFlag: true },
    { name: 'percent', finds: /percent|\bpct\b|\bshare\b/, isFlag: true },
    { name: 'func', finds: /func|aggreg|operat/ },
    { name: 'Value2', finds: /constant|number|literal|\bvalue\b/ },
    { name: 'field2', finds: /(?:field|column|operand) ?(?:2|two|b)\b|(?:second|other|right) (?:field|column)/ },
    { name: 'field1', finds: /field|column|operand/ },
    { name: 'type', finds: /type|kind|category/, isWord: true },
  ],
  isWhole: ({ func, field1 }) => {
    const text = typeof func === 'string' ? func.trim() : '';
    return isText(field1) && (aggregate.test(text) || operator.test(text));
  },
  word: ({ func }, _part, written) => {
    if (written === '' || written === null) return undefined;
    return typeof func === 'string' && operator.test(func.trim()) ? 'calc' : 'total';
  },
};

const pair: readonly Part[] = [
  { name: 'TargetField', finds: /target|prompt|\bto\b|\bparam|receiv|destin/ },
  { name: 'Field', finds: /field|column|source|\bfrom\b|name/ },
];

const links: ListKind = {
  property: 'linkreports',
  parts: [
    { name: 'ReportID', finds: /(?:report|target|item|object|link).*\bid$|^id$/ },
    { name: 'Name', finds: /name|title|label|caption/ },
    { name: 'Links', finds: /link|param|pair|map|field|value|criteria|pass/, parts: pair },
  ],
  isWhole: ({ ReportID, Links }) =>
    isIdentifier(ReportID) &&
    Array.isArray(Links) &&
    Links.every(
      (entry: unknown) => isEntry(entry) && typeof entry.Field === 'string' && typeof entry.TargetField === 'string',
    ),
  word: () => undefined,
};

const left = String.raw`\b(?:left|from|parent|primary|source|first)\b`;
const right = String.raw`\b(?:right|to|child|foreign|target|second)\b`;

const joins: ListKind = {
  property: 'Joins',
  parts: [
    { name: 'kind', finds: /type|kind|join ?(?:mode|class)?$/, isWord: true },
    { name: 'leftAlias', finds: new RegExp(`${left}.*(?:alias|table)`) },
    { name: 'rightAlias', finds: new RegExp(`${right}.*(?:alias|table)`) },
    { name: 'leftColumn', finds: new RegExp(`${left}.*(?:column|field|key)`) },
    { name: 'rightColumn', finds: new RegExp(`${right}.*(?:column|field|key)`) },
  ],
  pairs: [
    { names: ['leftAlias', 'leftColumn'], finds: new RegExp(left) },
    { names: ['rightAlias', 'rightColumn'], finds: new RegExp(right) },
  ],
  isWhole: ({ leftAlias, leftColumn, rightAlias, rightColumn }) =>
    [leftAlias, leftColumn, rightAlias, rightColumn].every(isText),
  word: (_entry, _part, written) => {
    const text = typeof written === 'string' ? written : '';
    if (/\bleft\b/i.test(text)) return 'left';
    return /\b(?:inner|equi)\b|^join$/i.test(text) ? 'inner' : undefined;
  },
};

/** The word for a value of a user, which the API description gives for groups only. */
export const userValueWord = 'tag_usr';

const userValues: ListKind = {
  property: 'Contacts',
  parts: [
    { name: 'RelationshipType', finds: /relation ?ship type/, isWord: true, isConstant: true },
    { name: 'RelationType', finds: /relation type|\b(?:type|kind)$/, isWord: true, isConstant: true },
    { name: 'RightID', finds: /(?:right|user|contact|member|account).*\bid$/ },
    { name: 'Option1', finds: /option 1$|value/ },
  ],
  isWhole: ({ RightID, Option1 }) => isIdentifier(RightID) && typeof Option1 === 'string',
  word: (_entry, _part, written) => (isText(written) ? userValueWord : undefined),
  fillers: /^(?:ErrorCode|ErrorMessage|LeftID|RelationshipType|RelationType|PermissionTypeEnum|Option(?:[2-9]|10))$/,
};

/** The lists by name. */
export const listKinds: Readonly<Record<ListName, ListKind>> = { totals, links, joins, userValues };

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isIdentifier(value: unknown): boolean {
  return isText(value) || typeof value === 'number' || typeof value === 'bigint' || JSON.isRawJSON(value);
}
