import { expect, it } from 'vitest';
import { pastedValues } from '../../../../../src/features/tagValues/page/tagValuesModel.ts';

it('takes pasted lines for one value each, and leaves a single one to the input', () => {
  expect(pastedValues('CT,IL')).toBeUndefined();
  expect(pastedValues('CT,IL\r\nFL\r\n')).toEqual(['CT,IL', 'FL']);
  expect(pastedValues('CT\r\n')).toEqual(['CT']);
  expect(pastedValues('CT\n\nTX')).toEqual(['CT', '', 'TX']);
});
