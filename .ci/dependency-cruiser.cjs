/**
 * Who may import whom. One row per room: the rooms of src/ that it may import besides itself.
 * Type imports count, and a cycle is an error.
 */
const mayImport = {
  words: [],
  contract: [],
  editor: [],
  protocol: ['contract'],
  client: ['words', 'contract'],
  objects: ['words', 'client', 'contract'],
  administration: ['words', 'objects', 'client', 'contract'],
  connections: ['words', 'editor', 'client', 'contract'],
  tree: ['words', 'editor', 'connections', 'objects', 'client', 'contract'],
  documents: ['words', 'editor', 'connections', 'objects', 'client', 'contract'],
  reports: ['words', 'editor', 'connections', 'objects', 'client', 'contract', 'protocol'],
  panels: ['words', 'editor', 'administration', 'reports', 'connections', 'objects', 'client', 'contract', 'protocol'],
  commands: [
    'words',
    'editor',
    'administration',
    'panels',
    'tree',
    'documents',
    'reports',
    'connections',
    'objects',
    'client',
    'contract',
    'protocol',
    'features',
  ],
  features: [
    'editor',
    'administration',
    'panels',
    'tree',
    'documents',
    'reports',
    'connections',
    'words',
    'objects',
    'client',
    'contract',
    'protocol',
    'webview',
    'commands',
  ],
  webview: ['protocol', 'contract'],
  server: ['contract'],
};
/** Rooms that may know the editor. */
const vscodeRooms = [
  'registry\\.ts',
  'lazyReports\\.ts',
  'features',
  'editor',
  'commands',
  'tree',
  'documents',
  'reports',
  'panels',
  'connections',
];
/** Rooms of src/server, each with the ones it may import besides itself. */
const serverMayImport = {
  store: [],
  calls: ['store'],
  databases: [],
  identity: ['store', 'calls'],
  security: ['store', 'calls', 'identity'],
  library: ['store', 'calls', 'identity'],
  catalogue: ['store', 'calls', 'identity', 'databases'],
  administration: ['store', 'calls', 'identity', 'catalogue'],
  reports: ['store', 'calls', 'identity', 'security', 'library', 'catalogue', 'databases'],
  http: ['store', 'calls', 'identity'],
  sample: ['store', 'calls', 'identity', 'security', 'library', 'catalogue', 'reports', 'databases'],
};

const roomRule = (base, room, allowed) => ({
  name: `${room}-imports`,
  severity: 'error',
  comment: `${base}/${room} may import only: ${allowed.join(', ') || 'nothing else'}`,
  from: { path: `^${base}/${room}/` },
  to: { path: `^${base}/`, pathNot: `^${base}/(${[room, ...allowed].join('|')})/` },
});

module.exports = {
  forbidden: [
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
    // Rooms move into features: until the last has moved, cycles are what is checked among them.
    ...Object.entries(mayImport)
      .filter(([room]) => ['contract', 'client', 'objects', 'server'].includes(room))
      .map(([room, allowed]) => roomRule('src', room, [...allowed, 'l10n'])),
    ...Object.entries(serverMayImport).map(([room, allowed]) => ({
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
      from: { path: '^src/', pathNot: `^src/(extension\\.ts$|(${vscodeRooms.join('|')}))` },
      to: { path: '^vscode$' },
    },
    {
      name: 'protocol-takes-types-only',
      severity: 'error',
      from: { path: '^src/protocol/' },
      to: { path: '^src/contract/', dependencyTypesNot: ['type-only'] },
    },
  ],
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
