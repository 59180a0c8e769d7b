/**
 * Who may import whom. Type imports count, and a cycle is an error.
 *
 * core ← connections ← editor ← features ← registry, extension. A page in `features/<feature>/page` imports its
 * `pageContract`, `contract`, `l10n` and `webview`, and no file outside imports it.
 */
const { core, rooms, features, allowed, serverRooms } = require('./importRules.cjs');

/** Rooms that may import the editor. */
const vscodeRooms = ['editor', 'connections', 'features'];
const roomRule = (base, room, allowed) => ({
  name: `${room}-imports`,
  severity: 'error',
  comment: `${base}/${room} may import only: ${allowed.join(', ') || 'nothing else'}`,
  from: { path: `^${base}/${room}/` },
  to: { path: `^${base}/`, pathNot: `^${base}/(${[room, ...allowed].join('|')})/` },
});

/** A feature imports itself, what lies below the features, and what the allow-list states. */
const featureRule = (feature) => ({
  name: `features-${feature}-imports`,
  severity: 'error',
  from: { path: `^src/features/${feature}/`, pathNot: '/page/' },
  to: {
    path: '^src/',
    pathNot: [
      `^src/features/${feature}/`,
      `^src/(${['editor', 'connections', ...Object.keys(core)].join('|')})/`,
      ...allowed.filter(({ from }) => from === feature).map(({ to }) => `^src/features/${to}`),
    ],
  },
});

const rules = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'no-unresolved',
    severity: 'error',
    from: {},
    to: {
      couldNotResolve: true,
      pathNot: ['^vscode$', '^assemblyscript/asc$', '^csv-parse/sync$', '^topojson-specification$', '^hucre/xlsx$'],
    },
  },
  ...Object.entries(rooms).map(([room, allowed]) => roomRule('src', room, allowed)),
  ...features.map(featureRule),
  {
    name: 'page-imports',
    severity: 'error',
    comment: 'A page imports its pageContract, contract, l10n and webview.',
    from: { path: '^(src/features/.+)/page/' },
    to: {
      path: '^src/',
      pathNot: ['^$1/page/', '^$1/pageContract\\.ts$', '^src/(contract|l10n|webview)/'],
    },
  },
  {
    name: 'page-is-not-imported',
    severity: 'error',
    comment: 'The host and its page exchange messages only.',
    from: { path: '^src/', pathNot: '/page/' },
    to: { path: '^src/features/.+/page/' },
  },
  ...Object.entries(serverRooms).map(([room, allowed]) => ({
    ...roomRule('src/server', room, allowed),
    name: `server-${room}-imports`,
  })),
  {
    name: 'server-is-not-imported',
    severity: 'error',
    comment: 'The extension starts the server bundle; it never imports it.',
    from: { pathNot: '^src/server/' },
    to: { path: '^src/server/' },
  },
  {
    name: 'vscode-rooms',
    severity: 'error',
    from: { path: '^src/', pathNot: [`^src/((extension|registry|lazyReports)\\.ts$|(${vscodeRooms.join('|')})/)`] },
    to: { path: '^vscode$' },
  },
  {
    name: 'page-without-vscode',
    severity: 'error',
    from: { path: '/page/|/pageContract\\.ts$' },
    to: { path: '^vscode$' },
  },
];

module.exports = {
  forbidden: rules,
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
