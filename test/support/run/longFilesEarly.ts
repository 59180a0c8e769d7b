import { existsSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { projectRoot } from '../vscodeHost/paths.ts';

/** Files that take long for their size, mostly by waiting. Begun late, one of them would run alone while a processor is idle. */
const longFiles = [
  'unit/features/farGestures.test.ts',
  'unit/features/farHttp2.test.ts',
  'unit/client/http/outages.test.ts',
  'contract/server/identity/authorisation.test.ts',
  'contract/security/largestBodies.test.ts',
  'page/accessibility/results.test.ts',
  'page/accessibility/otherPages.test.ts',
  'page/contrast.test.ts',
];

/** One in so many is a long file: side by side, those that wait would leave the processors idle. */
const apart = 6;

/** Vitest's order, but for {@link longFiles}, which come early: in a new clone it knows sizes and no times. */
export class LongFilesEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const long = longFiles.map((file) => path.join(projectRoot, 'test', file));
    const gone = long.find((file) => !existsSync(file));
    if (gone) throw new Error(`${gone} does not exist. Remove it from the long files.`);
    const isLong = ({ moduleId }: TestSpecification) => long.includes(moduleId);
    const sorted = await super.sort(files);
    // Files of one project stay together.
    const projects = Map.groupBy(sorted, ({ project }) => project);
    return [...projects.values()].flatMap((own) => {
      const order = own.filter((specification) => !isLong(specification));
      for (const [index, file] of own.filter(isLong).entries()) order.splice(index * apart, 0, file);
      return order;
    });
  }
}
