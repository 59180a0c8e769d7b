import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The bytes of a built module and of all that it imports statically. */
export async function loadedBytes(file: string, seen = new Set<string>()): Promise<number> {
  if (seen.has(file)) return 0;
  seen.add(file);
  const text = await readFile(file, 'utf8');
  const imports = [...text.matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+\.mjs)"/g)].map(([, name = '']) => name);
  const sizes = await Promise.all(imports.map((name) => loadedBytes(path.resolve(path.dirname(file), name), seen)));
  return sizes.reduce((sum, size) => sum + size, Buffer.byteLength(text));
}
