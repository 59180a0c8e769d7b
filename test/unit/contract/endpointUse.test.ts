import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { endpointPaths } from '../../../src/contract/endpoints.ts';

const source = path.join(import.meta.dirname, '../../../src');

/** Every source file of the extension itself: neither the contract, which lists the endpoints, nor the server. */
function extensionFiles(): string[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => path.relative(source, path.join(parentPath, name)))
    .filter((file) => !/^(?:contract|server)[/\\]/.test(file));
}

it('has a use for every endpoint of the API', () => {
  const text = extensionFiles()
    .map((file) => readFileSync(path.join(source, file), 'utf8'))
    .join('\n');
  expect(endpointPaths).toHaveLength(81);
  expect(endpointPaths.filter((endpoint) => !text.includes(`'${endpoint}'`))).toEqual([]);
});
