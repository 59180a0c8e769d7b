import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTenantScene, type TenantScene } from '../../support/tenants/tenantScene.ts';
import { tenantSteps } from '../../support/tenants/tenantSteps.ts';
import { closeEditors } from '../../support/workbench/sharedWorkbench.ts';

/*
 * The same day as in test/unit/features/security/tenantDay.test.ts, by menus, lists, dialogs, documents and pages of the
 * workbench.
 */

describe.each([
  ['the embedded server', false],
  ['a server of another release', true],
])('the day of a tenant in the workbench on %s', { timeout: 120_000 }, (_, isOther) => {
  let scene: TenantScene;
  beforeAll(async () => {
    scene = await openTenantScene(isOther);
  });
  afterEach(() => closeEditors(scene.workbench));
  afterAll(() => scene?.stop());

  it.each(tenantSteps.map((step, index) => [index + 1, step.title, step] as const))(
    '%i: %s',
    async (at, _title, step) => {
      const { admin, watched } = scene;
      watched.writes.length = 0;
      const wanted = [...step.writes].sort();
      const written = () => [...new Set(watched.writes)].sort();
      const isDone = (shown: string) =>
        JSON.stringify(written()) === JSON.stringify(wanted) && (step.says?.test(shown) ?? true);
      const picture = `tenant-${isOther ? 'other' : 'own'}-${at}`;
      const shown = await admin.does(picture, () => step.run(admin), step, isDone);
      expect(written(), shown).toEqual(wanted);
      if (step.says) expect(shown).toMatch(step.says);
    },
  );
});
