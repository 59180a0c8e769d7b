import { link, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointRow } from '../../../../src/contract/endpointRow.ts';
import { endpointPaths, endpoints, ownPaths, type EndpointPath } from '../../../../src/contract/endpoints.ts';
import { reportResult } from '../../../../src/contract/resources/reportResult.ts';
import { figure } from '../../../support/run/figure.ts';
import { endpointCases } from '../../../support/matrix/endpointCases.ts';
import { outcomeOf, type Outcome } from '../../../support/matrix/outcome.ts';
import { callerKinds, canary, Scene, sides, type CallerKind, type Side } from '../../../support/matrix/scene.ts';

/*
 * Who may call what: 81 endpoints × 8 kinds of callers × the own and the other tenant. Besides the outcome, every cell
 * asserts that a call which is refused, or only reads, changes nothing, and that nobody but administrators and
 * super-admins is ever answered anything of the other tenant.
 */

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** What a caller without a session is answered, by the form of the endpoint's reply. */
function signedOut(path: EndpointPath): Outcome {
  const { form, needsToken }: EndpointRow = endpoints[path];
  if (!needsToken) return path === 'login/DoLogin' ? '1' : '+';
  if (form.kind !== 'json') return '-';
  return form.shape === 'array' ? '0' : '1';
}

let cells = 0;
afterAll(() =>
  figure('E4', `${cells} cells of endpoint × caller × tenant, each asserted: 0 leaks of the other tenant`),
);

const mayKnowAll: readonly CallerKind[] = ['administrator', 'superAdmin'];

async function cell(path: EndpointPath, side: Side, kind: CallerKind): Promise<Outcome> {
  const who = scene.person(kind);
  const body = await endpointCases[path].body(scene, side, who);
  const before = scene.storedState();
  const reply = await who.call(path, body);
  const outcome = outcomeOf(path, reply);
  cells += 1;
  if (outcome !== '+' || endpoints[path].isSafe) {
    // Failed sign-ins are counted.
    if (path !== 'login/DoLogin') expect(scene.storedState(), `${path} by ${kind} changed something`).toBe(before);
  }
  if (!mayKnowAll.includes(kind) && !JSON.stringify(body).includes(canary)) {
    expect(reply.text, `${path} by ${kind} shows the other tenant`).not.toContain(canary);
  }
  if (path === 'login/DoLogout' || path === 'login/DoLogin') await scene.signIn(kind);
  return outcome;
}

describe('81 endpoints × 8 kinds of callers', () => {
  describe.each(sides)('on the %s tenant', (side) => {
    it.each([...endpointPaths, ...ownPaths])('%s', async (path) => {
      const { access } = endpointCases[path];
      const expected = signedOut(path) + (typeof access === 'string' ? access : access[side]);
      const seen: string[] = [];
      for (const kind of callerKinds) seen.push(await cell(path, side, kind));
      expect(seen.join('')).toBe(expected);
    });
  });

  it('show members the rows of their own tenant only', async () => {
    const Reportobj = await scene.metadata('own');
    const rows = async (kind: CallerKind) => {
      const reply = await scene.person(kind).call('Report/GetReportData', { Reportobj, supressprompts: true });
      return reportResult.parse(reply.json).Data?.map(({ Note }) => Note);
    };
    for (const kind of ['viewer', 'editor', 'groupAdmin'] as const) expect(await rows(kind)).toEqual(['a', 'b']);
    expect(await rows('superAdmin')).toEqual(['a', 'b', `${canary} row`]);
  });

  it('let no Architect report on the server’s own files, not through links either', async () => {
    const groupAdmin = scene.person('groupAdmin');
    const { regserver } = scene.tenants.own;
    const state = path.join(scene.server.dataFolder, 'state.db');
    const outside = await mkdtemp(path.join(tmpdir(), 'links-'));
    await symlink(state, path.join(outside, 'soft.db'));
    await link(state, path.join(outside, 'hard.db'));
    const files = [state, path.join(outside, 'soft.db'), path.join(outside, 'hard.db')];
    for (const DatabaseName of [
      ...files,
      path.join(scene.server.dataFolder, path.relative(scene.server.dataFolder, outside), 'soft.db'),
    ]) {
      for (const DatabasePlatform of ['sqlite', 'duckdb']) {
        const sent = { ...regserver, DatabaseName, DatabasePlatform };
        const reply = await groupAdmin.call('RegServers/TestConnection', { regserver: sent });
        expect(reply.text).toContain('its database file does not exist, or is not in a database folder');
      }
    }
    await rm(outside, { recursive: true });
  });

  it('leave nothing of the other tenant, and no password, in the log', () => {
    expect(scene.server.log()).not.toContain(canary);
    expect(scene.server.log()).not.toContain('passphrase');
  });
});
