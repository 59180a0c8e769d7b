import type {
  BuilderContext,
  BuilderContract,
  BuilderCriterion,
  BuilderField,
  BuilderReport,
  BuilderTab,
  LiveSqlState,
} from '../../../../src/features/builder/pageContract.ts';
import type { PageAnswers, PageState, PageStates } from '../scriptedPage.ts';

const criterion = (row: number, more: Partial<BuilderCriterion>): BuilderCriterion => ({
  row,
  operator: '=',
  value1: 'CA',
  value2: '',
  list: [],
  joiner: 'AND',
  isNested: false,
  isPrompt: false,
  isSkipable: false,
  ...more,
});

const field = (index: number, name: string, more: Partial<BuilderField> = {}): BuilderField => ({
  index,
  name,
  header: '',
  alias: name.toLowerCase(),
  source: `flights.${name.toLowerCase()}`,
  type: 'cha',
  isHidden: false,
  isGroup: false,
  aggregate: '',
  formula: '',
  sort: null,
  criteria: [],
  ...more,
});

const fields = [
  field(0, 'State', {
    sort: { isDescending: false, priority: 1 },
    criteria: [
      criterion(0, { isNested: true }),
      criterion(1, {
        operator: 'IN',
        list: ['CA', 'NY'],
        isNested: true,
        joiner: 'OR',
        isPrompt: true,
        isSkipable: true,
      }),
      criterion(2, { isNested: true }),
      criterion(3, { operator: '' }),
    ],
  }),
  field(1, 'Delay', {
    type: 'num',
    aggregate: 'AVG',
    sort: { isDescending: true, priority: 2 },
    criteria: [criterion(0, { operator: 'Between', value1: '1', value2: '9', isNested: true })],
  }),
  field(2, 'Day', { type: 'dat', isHidden: true }),
  field(3, 'Share', { type: 'num', source: '', formula: 'ROUND(?, 2)' }),
];

const total = (index: number, type: string, func: string, field2 = '') => ({
  index,
  type,
  func,
  field1: 'delay',
  field2,
  value2: '2',
  isPercent: false,
  hasGrandTotal: true,
});

const report: BuilderReport = {
  name: 'Delays by State',
  description: 'Average delay',
  application: 'Flights',
  reportType: 'Flights',
  server: 'Local Server',
  folderId: '7',
  outputType: 1,
  isDistinct: true,
  topN: 100,
  fields,
  totals: [total(0, 'total', 'SUM'), total(1, 'calc', '*'), total(2, 'calc', '+', 'delay')],
  links: [{ index: 0, reportId: '9', name: 'Airports of a State', pairs: [{ field: 'state', target: 'State' }] }],
};

const ready: BuilderContext = {
  kind: 'ready',
  tree: [
    { label: 'Flights', depth: 0, isFolder: true, source: '', type: '' },
    { label: 'State', depth: 1, isFolder: false, source: 'flights.state', type: 'cha' },
    { label: 'Delay', depth: 1, isFolder: false, source: 'flights.delay', type: 'num' },
    { label: 'Distance', depth: 1, isFolder: false, source: 'flights.distance', type: 'num' },
  ],
  functions: [{ name: 'ROUND', description: 'Rounds a number', template: 'ROUND(?, 2)' }],
  outputTypes: [
    { id: 1, name: 'DataGrid' },
    { id: 12, name: 'Grouped grid' },
    { id: 2, name: 'Chart' },
  ],
  platform: 'duckdb',
  folders: [{ id: '7', name: 'Public Library/Flights' }],
};

const sql: LiveSqlState = {
  sql: "SELECT state, AVG(delay) FROM flights WHERE state = 'CA' AND delay > 12 AND day = {?Day}",
  isLoading: false,
  isAsked: false,
  isOutdated: false,
  problem: '',
  problemField: null,
};

interface Shown {
  report?: Partial<BuilderReport> | null;
  problem?: string;
  ground?: BuilderContext;
  sql?: Partial<LiveSqlState>;
  tab?: BuilderTab;
}

function showing(shown: Shown, more: PageAnswers<BuilderContract> = {}): PageState<BuilderContract> {
  const { report: change = {}, problem = '', ground = ready, tab = 'fields' } = shown;
  return {
    answers: {
      ready: () => ({
        place: 'Local Server · admin',
        document: { version: 1, report: change === null ? null : { ...report, ...change }, problem },
        ground,
        sql: { ...sql, ...shown.sql },
        sight: { tab, search: '', focus: '' },
      }),
      fieldValues: () => ({ choices: [{ value: 'CA', label: 'California' }], notice: '' }),
      targetFields: () => [{ value: 'State', label: 'State' }],
      ...more,
    },
  };
}

/** The options, once the fields of the linked report are there to choose from. */
const withTargets = (report: Partial<BuilderReport>): PageState<BuilderContract> => ({
  ...showing({ tab: 'options', report }),
  reach: ({ page }) => page.locator('.link datalist option').waitFor({ state: 'attached' }),
});

const failed = (needs: 'retry' | 'signIn' | 'changePassword' | 'chooseServer'): BuilderContext => ({
  kind: 'failed',
  message: 'The fields could not be read: ECONNREFUSED.',
  nextStep: needs,
});

const contexts: Record<BuilderContext['kind'], PageState<BuilderContract>> = {
  loading: showing({ ground: { kind: 'loading' } }),
  ready: showing({}),
  failed: showing({ ground: failed('retry') }),
};

const refused = (problem: string, problemField: number | null) => ({
  sql: { problem, problemField, isOutdated: true },
});

/** One of every part, as it is and refused by the server. */
const tabs: Record<BuilderTab, PageStates<BuilderContract>> = {
  fields: {
    whole: showing({}),
    refused: showing(refused('The column does not exist.', 1)),
    empty: showing({ report: { fields: [], totals: [], links: [] }, sql: { sql: '' } }),
  },
  criteria: {
    whole: showing({ tab: 'criteria' }),
    refused: showing({ tab: 'criteria', ...refused('A criterion has no value.', 1) }),
    empty: showing({ tab: 'criteria', report: { fields: [field(0, 'State')] } }),
    'in brackets of one': showing({
      tab: 'criteria',
      report: { fields: [field(0, 'State', { criteria: [criterion(0, { isNested: true })] })] },
    }),
  },
  totals: {
    whole: showing({ tab: 'totals' }),
    refused: showing({ tab: 'totals', ...refused('Totals 1 has no function.', null) }),
    'refused as a whole': showing({ tab: 'totals', ...refused('The totals cannot be calculated.', null) }),
    empty: showing({ tab: 'totals', report: { totals: [] } }),
  },
  options: {
    whole: withTargets({}),
    'of a chart': withTargets({ outputType: 2 }),
    'of groups': withTargets({ outputType: 12 }),
  },
};

const parts: PageStates<BuilderContract> = {
  'no server': showing({ ground: failed('chooseServer') }),
  'signed out': showing({ ground: failed('signIn') }),
  'new password': showing({ ground: failed('changePassword') }),
  'no report': showing({ report: null, problem: 'The text is no report: line 3.' }),
  'a text that became invalid': showing({ problem: 'The text is no report: line 3.' }),
  'an action that failed': {
    ...showing({}, { preview: () => Promise.reject(new Error('The preview could not be run.')) }),
    reach: async ({ page }) => {
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      await page.locator('.banner.is-remark').waitFor();
    },
  },
  'SQL that is asked for': showing({ sql: { isLoading: true, isAsked: true, isOutdated: true } }),
  'SQL of an earlier version': showing({ sql: { isOutdated: true } }),
  'no SQL yet': showing({ sql: { sql: '' } }),
  'a formula with suggestions': {
    ...showing({}),
    reach: async (scripted) => {
      await scripted.page.getByRole('button', { name: 'Formula of Delay' }).click();
      await scripted.page.getByRole('textbox', { name: 'Formula of Delay' }).focus();
      await scripted.press('Control+Space');
      await scripted.page.locator('.offer.is-active').waitFor();
    },
  },
  'a field in the tree': {
    ...showing({}),
    reach: async (scripted) => {
      await scripted.page.locator('.tree').focus();
      await scripted.press('End');
      await scripted.page.locator('.tree-row.is-active', { hasText: 'Distance' }).waitFor();
    },
  },
  'no field that matches': {
    ...showing({}),
    reach: async ({ page }) => {
      await page.getByRole('textbox', { name: 'Search fields' }).fill('zzz');
      await page.locator('.tree-pane .pane-note').waitFor();
    },
  },
  'a limit that is no number': {
    ...showing({ tab: 'options' }),
    reach: async ({ page }) => {
      await page.getByRole('textbox', { name: 'At most' }).fill('many');
      await page.locator('#report-limit-problem').waitFor();
    },
  },
  'values of a field': {
    ...showing({ tab: 'criteria' }),
    reach: async (scripted) => {
      await scripted.page.getByRole('combobox', { name: 'Value of State, criterion 1' }).focus();
      await scripted.press('ArrowDown');
      await scripted.page.locator('.choice').waitFor();
    },
  },
  help: {
    ...showing({}),
    reach: async (scripted) => {
      await scripted.press('F1');
      await scripted.page.locator('dialog[open]').waitFor();
    },
  },
};

const named = (prefix: string, states: PageStates<BuilderContract>): PageStates<BuilderContract> =>
  Object.fromEntries(Object.entries(states).map(([name, state]) => [`${prefix}: ${name}`, state]));

/** All states of the builder: the compiler misses a part of the report and a kind of context that has none. */
export const builderStates: PageStates<BuilderContract> = {
  ...named('context', contexts),
  ...Object.fromEntries(Object.entries(tabs).flatMap(([tab, states]) => Object.entries(named(tab, states)))),
  ...named('part', parts),
};
