/** Which part of src/ may import which. `dependency-cruiser.cjs` checks it; `structure` prints it. */
const core = {
  contract: [],
  l10n: [],
  client: ['l10n', 'contract'],
  objects: ['client', 'l10n', 'contract'],
  access: ['objects', 'client', 'l10n', 'contract'],
};
const rooms = {
  ...core,
  connections: Object.keys(core),
  editor: ['connections', ...Object.keys(core)],
  webview: ['l10n', 'contract'],
  server: ['contract'],
};
const features = [
  'sidebar',
  'servers',
  'backups',
  'documents',
  'security',
  'library',
  'userImport',
  'tagValues',
  'applications',
  'administration',
  'builder',
  'reports',
];
/** What a feature imports of another, and why. */
const allowed = [
  { from: 'servers', to: 'tagValues/tagDrafts', why: 'removing a server discards its unsaved tag values' },
  { from: 'builder', to: 'reports/', why: 'a draft is previewed as a run, with its prompts and its SQL' },
];
/** Rooms of src/server, each with the ones it may import besides itself. */
const serverRooms = {
  store: [],
  calls: ['store'],
  databases: ['calls'],
  identity: ['store', 'calls'],
  security: ['store', 'calls', 'identity'],
  library: ['store', 'calls', 'identity'],
  catalogue: ['store', 'calls', 'identity', 'databases'],
  administration: ['store', 'calls', 'identity', 'catalogue'],
  reports: ['store', 'calls', 'identity', 'security', 'library', 'catalogue', 'databases'],
  backups: ['store', 'catalogue', 'security'],
  http: ['store', 'calls', 'identity'],
  log: [],
  monitoring: ['databases', 'log'],
  sample: ['store', 'calls', 'identity', 'security', 'library', 'catalogue', 'reports', 'databases'],
};

module.exports = { core, rooms, features, allowed, serverRooms };
