import { expect, it } from 'vitest';
import { packedLinks } from '../../../.ci/package/packedLinks.ts';

it('leaves no link in a packed README that leads nowhere, and every one that leads somewhere', () => {
  const text =
    'See [the server](src/server/README.md#goals), [changes](CHANGELOG.md#a), [site](https://a.example), [up](#top).';
  expect(packedLinks(text, (file) => file === 'CHANGELOG.md')).toBe(
    'See the server, [changes](CHANGELOG.md#a), [site](https://a.example), [up](#top).',
  );
  expect(packedLinks('![A grid](media/none.png)', () => false)).toBe('![A grid](media/none.png)');
});
