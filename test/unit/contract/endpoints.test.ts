import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { endpointPaths, endpoints } from '../../../src/contract/endpoints.ts';

const documented = JSON.parse(
  readFileSync(new URL('./endpointPaths.json', import.meta.url), 'utf8'),
) as readonly string[];

describe('the endpoint table', () => {
  it('holds exactly the 81 documented paths', () => {
    expect(documented).toHaveLength(81);
    expect(endpointPaths.map((path) => `/api/${path}`)).toEqual(documented);
  });

  it('has no two paths that differ in case only', () => {
    expect(new Set(endpointPaths.map((path) => path.toLowerCase())).size).toBe(81);
  });

  it('needs a token everywhere but for sign-in, prompt replacement and the installation id', () => {
    expect(endpointPaths.filter((path) => !endpoints[path].needsToken)).toEqual([
      'login/DoLogin',
      'Report/ReplacePromptCollection',
      'LicenseManager/GetInstallationID',
    ]);
  });

  it('requires the token in the request of every endpoint that needs one', () => {
    for (const path of endpointPaths) {
      const row = endpoints[path];
      const result = row.request.safeParse({});
      const missing = result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'));
      expect(missing.includes('sessionToken'), path).toBe(row.needsToken);
    }
  });

  it('marks no call safe that writes', () => {
    const writing = /\/(Save|Update|Delete|Del|Add|Remove|Insert|Fav|UnFav|Unlock|Reset|Refresh(?!Session)|DoLog)/;
    for (const path of endpointPaths)
      expect(endpoints[path].isSafe, path).toBe(!writing.test(`/${path.split('/')[1]}`));
  });

  it('reads as text or number exactly the replies that the description lists as not JSON', () => {
    const bare = endpointPaths.filter((path) => endpoints[path].form.kind !== 'json');
    expect(bare.map((path) => path.split('/').slice(-1)[0]).sort()).toEqual(
      [
        'GetInstallationID TestConnection AddUser RemoveUser DeletePolicy AddGroup RemoveGroup GetSQL DoLogout',
        'FavReport UnFavReport FavDash UnFavDash SaveAnyDbModule DelReport',
      ]
        .join(' ')
        .split(' ')
        .sort(),
    );
  });

  it('keeps the reversed senses of the two bare-number saves', () => {
    expect(endpoints['library/DelReport'].form).toEqual({ kind: 'number', success: 0 });
    expect(endpoints['AppBuilder/SaveAnyDbModule'].form).toEqual({ kind: 'number', success: 1 });
  });
});
