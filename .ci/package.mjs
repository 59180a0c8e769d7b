/** Packs the built extension for this platform: dist/ holds this platform's DuckDB library. */
import { createVSIX } from '@vscode/vsce';

const target = `${process.platform}-${process.arch}`;
await createVSIX({
  target,
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
  packagePath: `dist/analytics-studio-${target}.vsix`,
});
