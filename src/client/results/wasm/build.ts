/**
 * Compiles compactRows.as.ts. Run as a program, it writes the module into compactRowsModule.ts, which is kept in the
 * repository so that sources run as they are, bundled or not; a test fails when the two no longer belong together.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';

const source = 'compactRows.as.ts';
const target = join(import.meta.dirname, 'compactRowsModule.ts');
/** 64 KiB each: what the layout in the source adds up to. */
const memoryPages = '43';

/** The module as base64; the same source always gives the same. */
export async function compileCompactRows(): Promise<string> {
  let module: Uint8Array | undefined;
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'];
  const memory = ['--initialMemory', memoryPages, '--maximumMemory', memoryPages];
  const { error } = await asc.main([source, '--outFile', 'compactRows.wasm', ...options, ...memory], {
    readFile: (name) => (name === source ? readFileSync(join(import.meta.dirname, source), 'utf8') : null),
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') module = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || module === undefined) throw new Error(`${source} does not compile:\n${String(error)}`);
  return Buffer.from(module).toString('base64');
}

/** The whole text of compactRowsModule.ts. */
export function moduleText(base64: string): string {
  const lines = base64.match(/.{1,100}/g) ?? [];
  return [
    '/** The WebAssembly module compiled from compactRows.as.ts, as base64; written by build.ts. */',
    `export const compactRowsModule =\n  ${lines.map((line) => `'${line}'`).join(' +\n  ')};\n`,
  ].join('\n');
}

if (import.meta.main) writeFileSync(target, moduleText(await compileCompactRows()));
