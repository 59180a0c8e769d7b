/**
 * Compiles compactRows.as.ts and textRows.as.ts. Run as a program, writes the modules to compactRowsModule.ts and
 * textRowsModule.ts. These are checked in so that sources run without a build, bundled or not; a test fails if a module
 * does not match its source.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';

/** Name of a source, and its memory in pages of 64 KiB: the total of the layout in the source. */
export const wasmModules = [
  { name: 'compactRows', memoryPages: '43' },
  { name: 'textRows', memoryPages: '326' },
] as const;

/** A module as base64; deterministic for the same source. */
export async function compileModule({ name, memoryPages }: (typeof wasmModules)[number]): Promise<string> {
  const source = `${name}.as.ts`;
  let module: Uint8Array | undefined;
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'];
  const memory = ['--initialMemory', memoryPages, '--maximumMemory', memoryPages];
  const { error } = await asc.main([source, '--outFile', `${name}.wasm`, ...options, ...memory], {
    readFile: (file) => (file === source ? readFileSync(join(import.meta.dirname, source), 'utf8') : null),
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') module = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || module === undefined) throw new Error(`${source} does not compile:\n${String(error)}`);
  return Buffer.from(module).toString('base64');
}

/** Path of the file that contains a module. */
export function moduleFile({ name }: (typeof wasmModules)[number]): string {
  return join(import.meta.dirname, `${name}Module.ts`);
}

/** Content of that file. */
export function moduleText({ name }: (typeof wasmModules)[number], base64: string): string {
  const lines = base64.match(/.{1,100}/g) ?? [];
  return [
    `/** The WebAssembly module compiled from ${name}.as.ts, as base64; written by build.ts. */`,
    `export const ${name}Module =\n  ${lines.map((line) => `'${line}'`).join(' +\n  ')};\n`,
  ].join('\n');
}

if (import.meta.main) {
  for (const each of wasmModules) writeFileSync(moduleFile(each), moduleText(each, await compileModule(each)));
}
