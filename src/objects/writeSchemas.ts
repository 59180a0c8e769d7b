import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { objectKinds } from './kinds.ts';
import { objectSchema } from './objectSchema.ts';

/** Writes the JSON schema of every kind to `folder`, as `<kind>.schema.json`; the build calls it, the manifest names them. */
export async function writeSchemas(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    objectKinds.map((kind) =>
      writeFile(path.join(folder, `${kind.name}.schema.json`), `${JSON.stringify(objectSchema(kind))}\n`),
    ),
  );
}
