import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { objectKinds } from './kinds.ts';
import { objectSchema } from './objectSchema.ts';

/**
 * Writes the JSON schema of every kind to `folder`, as `<kind>.schema.json`, in the language that is spoken now; the build calls
 * it, the manifest names them.
 * @param language put before `.schema.json` in the names, for example `de`; none for English.
 */
export async function writeSchemas(folder: string, language?: string): Promise<void> {
  const ending = language === undefined ? 'schema.json' : `${language}.schema.json`;
  await mkdir(folder, { recursive: true });
  await Promise.all(
    objectKinds.map((kind) =>
      writeFile(path.join(folder, `${kind.name}.${ending}`), `${JSON.stringify(objectSchema(kind))}\n`),
    ),
  );
}
