import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointPaths } from '../../../src/contract/endpoints.ts';
import { policyOperators } from '../../../src/contract/operators.ts';
import { readServerState } from '../../support/serverState.ts';
import { endpointCases } from '../../support/matrix/endpointCases.ts';
import { Scene, type CallerKind } from '../../support/matrix/scene.ts';

/* What a policy compares with is for those who may read policies: 0 hits of it in any reply to anybody else. */

const word = 'Zq81secret';
const number = '918273645';
const orders: readonly string[] = ['<', '<=', '>', '>=', 'between'];

/** A constraint with values that are found nowhere else, one with a relative date aside. */
function constraint(Operator: string, Value: string, Value2 = '') {
  const ColumnName = orders.includes(Operator) ? 'amount' : 'note';
  return { ModuleID: '', TableOwner: '', TableName: 'sales', ColumnName, Operator, Value, Value2, Logical: 'OR' };
}
const literal = (operator: string) => (orders.includes(operator) ? number : word);
const one = policyOperators.map((operator) => constraint(operator, literal(operator), literal(operator)));
const mixed = ['=', 'like', 'in'].flatMap((operator) => [
  constraint(operator, `${word}/#tenant#/`),
  constraint(operator, `/#tenant#/,${word}`),
]);

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

async function restrictBy(Constraints: object[]) {
  const policy = { ...(await scene.newPolicy('own')), isActive: true, Constraints };
  const groups = [scene.tenants.own.groupId];
  const saved = await scene.ask('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups, users: [] });
  expect(saved).toMatchObject({ ErrorCode: '0' });
  return () => scene.asSuperAdmin('Shield/DeletePolicy', { policy: saved });
}

async function sqlFor(kind: CallerKind): Promise<string> {
  return (await scene.person(kind).call('Report/GetSQL', { Reportobj: await scene.metadata('own') })).text;
}

describe('what a policy compares with', () => {
  it('is masked in SQL for members, whatever the operator, and shown to administrators who are restricted by it', async () => {
    const join = { GroupId: scene.tenants.own.groupId, ContactId: scene.person('superAdmin').userId, RoleId: '2' };
    await scene.asSuperAdmin('Group/AddUser', join);
    for (const each of [...one, ...mixed]) {
      const lift = await restrictBy([each]);
      for (const kind of ['viewer', 'editor', 'groupAdmin'] as const) {
        const sql = await sqlFor(kind);
        expect(sql, `${kind}, ${each.Operator}`).toContain('{policy}');
        expect(sql, `${kind}, ${each.Operator}`).not.toMatch(new RegExp(`${word}|${number}`));
      }
      expect(await sqlFor('superAdmin'), each.Operator).toContain(literal(each.Operator));
      await lift();
    }
  });

  it('shows neither how many values there are nor how long they are', async () => {
    const lists: [string, string[]][] = [
      ['in', ['a', 'a, b, c, d', `'${'x'.repeat(500)}'`, '/#tenant#/, /#tenant#/', '[x]']],
      ['not in', ['a', 'a,b']],
      ['like', ['a', '%abc%', '____']],
      ['=', ['', 'a', 'a longer text', '[x]']],
      ['between', ['1', '100000']],
    ];
    for (const [operator, values] of lists) {
      const shown = new Set<string>();
      for (const value of values) {
        const lift = await restrictBy([constraint(operator, value, value)]);
        shown.add(await sqlFor('viewer'));
        await lift();
      }
      expect([...shown], operator).toHaveLength(1);
    }
  });

  it('is in no reply of any endpoint to a member, but in the audit trail', async () => {
    await restrictBy([...one, ...mixed]);
    const recorded = await scene.list('Audit/GetAuditTypes');
    const AuditTypeList = recorded.map((type) => ({ ...type, recorded: -1 }));
    await scene.asSuperAdmin('Audit/SaveAuditTypes', { AuditTypeList });
    for (const kind of ['viewer', 'editor', 'groupAdmin', 'stranger', 'guest'] as const) {
      for (const path of endpointPaths) {
        const who = scene.person(kind);
        const body = await endpointCases[path].body(scene, 'own', who);
        if (JSON.stringify(body).includes(word)) continue;
        const reply = await who.call(path, body);
        expect(reply.text, `${path} to ${kind}`).not.toMatch(new RegExp(`${word}|${number}`));
        if (path === 'login/DoLogout' || path === 'login/DoLogin') await scene.signIn(kind);
      }
    }
    const entries = readServerState(scene.server.dataFolder, (database) =>
      JSON.stringify(database.prepare('SELECT * FROM audit_entry').all()),
    );
    expect(entries).toContain(word);
  });
});
