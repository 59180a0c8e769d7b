import { describe, expect, it } from 'vitest';
import type {
  BuilderCriterion,
  BuilderDocument,
  BuilderField,
} from '../../../../../src/features/builder/pageContract.ts';
import { hasMissingValues } from '../../../../../src/features/builder/page/criteria/operators.ts';
import { withSameFields } from '../../../../../src/features/builder/page/builderModel.ts';

const field = (index: number, name: string): BuilderField => ({
  index,
  name,
  header: name,
  alias: '',
  source: `t.c${index}`,
  type: 'cha',
  isHidden: false,
  isGroup: false,
  aggregate: '',
  formula: '',
  sort: null,
  criteria: [],
});
const held = (fields: BuilderField[] | null): BuilderDocument => ({
  version: 1,
  report: fields && {
    name: 'Report',
    description: '',
    application: '',
    reportType: '',
    server: '',
    folderId: '',
    outputType: 1,
    isDistinct: false,
    topN: null,
    fields,
    totals: [],
    links: [],
  },
  problem: '',
});

describe('the fields of a document that comes anew', () => {
  it('are the very ones of before where they say the same, so that only the others are drawn', () => {
    const before = held([field(0, 'State'), field(1, 'Miles')]);
    const after = withSameFields(before, held([field(0, 'State'), field(1, 'Miles flown')]));
    expect(after.report?.fields[0]).toBe(before.report?.fields[0]);
    expect(after.report?.fields[1]).toEqual(field(1, 'Miles flown'));
  });

  it('say what the new document says, whatever stood before', () => {
    const now = held([field(1, 'Miles'), field(0, 'State')]);
    for (const before of [held(null), held([]), held([field(0, 'State'), field(1, 'Miles')])]) {
      expect(withSameFields(before, now)).toEqual(now);
    }
    expect(withSameFields(now, held(null))).toEqual(held(null));
  });
});

describe('a criterion without values', () => {
  const row = (operator: string, change: Partial<BuilderCriterion> = {}) =>
    hasMissingValues({
      operator,
      value1: '',
      value2: '',
      list: [],
      joiner: 'AND',
      isNested: false,
      isPrompt: false,
      isSkipable: false,
      ...change,
    });

  it('lacks those that its operator takes', () => {
    expect(
      ['=', 'like', 'in', 'not in', 'between', 'is null', 'is not null'].filter((operator) => row(operator)),
    ).toEqual(['=', 'like', 'in', 'not in', 'between']);
    expect(row('between', { value1: '1' })).toBe(true);
    expect(row('between', { value1: '1', value2: '9' })).toBe(false);
    expect(row('in', { value1: 'CA', list: ['CA'] })).toBe(false);
    expect(row('=', { value1: '0' })).toBe(false);
  });

  it('lacks none where it asks for them when it is run, or where its operator is not known', () => {
    expect(row('in', { isPrompt: true })).toBe(false);
    expect(row('sounds like')).toBe(false);
  });
});
