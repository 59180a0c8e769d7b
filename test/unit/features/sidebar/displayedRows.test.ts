import { describe, expect, it } from 'vitest';
import { DisplayedRows } from '../../../../src/features/sidebar/displayedRows.ts';
import { serverNode, type MoreNode, type NoticeNode, type TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { treeConnection } from './treeConnection.ts';

const place = serverNode(treeConnection('http://127.0.0.1:9'));
const { connection } = place;

function children(count: number): NoticeNode[] {
  return Array.from({ length: count }, (_, index): NoticeNode => {
    return { kind: 'notice', id: `n${index}`, connection, parent: place, reason: 'none', detail: '' };
  });
}

function moreOf(rows: readonly TreeNode[]): MoreNode {
  const last = rows.at(-1);
  if (last?.kind !== 'more') throw new Error('There is no more.');
  return last;
}

describe('ShownRows', () => {
  it('shows lists of an ordinary length whole', () => {
    expect(new DisplayedRows().give(place, children(600))).toEqual(children(600));
  });

  it('shows the first rows of a long list and the next at each call, the last few with those before', () => {
    const rows = new DisplayedRows();
    const all = children(1_590);
    const first = rows.give(place, all);
    expect(first.slice(0, -1)).toEqual(all.slice(0, 500));
    expect(moreOf(first)).toMatchObject({ hidden: 1_090, next: 500 });
    expect(rows.extend(moreOf(first), false)).toBe(500);
    const second = rows.give(place, all);
    expect(second).toHaveLength(1_001);
    expect(moreOf(second)).toMatchObject({ id: moreOf(first).id, hidden: 590, next: 590 });
    rows.extend(moreOf(second), false);
    expect(rows.give(place, all)).toEqual(all);
  });

  it('shows the same next rows at both clicks of a double click', () => {
    const rows = new DisplayedRows();
    const all = children(5_000);
    const more = moreOf(rows.give(place, all));
    expect([rows.extend(more, false), rows.extend(more, false)]).toEqual([500, 500]);
    expect(rows.give(place, all)).toHaveLength(1_001);
    rows.extend(more, true);
    expect(rows.extend(more, false)).toBe(500);
    expect(rows.give(place, all)).toHaveLength(5_000);
  });

  it('shows all at once when asked to, and stays so for that place alone', () => {
    const rows = new DisplayedRows();
    const all = children(5_000);
    rows.extend(moreOf(rows.give(place, all)), true);
    expect(rows.give(place, all)).toHaveLength(5_000);
    rows.keepOnly(() => false);
    expect(rows.give(place, all)).toHaveLength(501);
  });

  it('knows when a place shows something else than it would now', () => {
    const rows = new DisplayedRows();
    const all = children(2_000);
    expect(rows.isOutdated(place, all)).toBe(false);
    rows.give(place, all);
    expect(rows.isOutdated(place, all)).toBe(false);
    expect(rows.isOutdated(place, all.slice(0, 1_999))).toBe(true);
    expect(rows.isOutdated(place, [...all.slice(1), ...all.slice(0, 1)])).toBe(true);
  });

  it('gives a row as the object that was given for it first, and draws anew only what looks other', () => {
    const rows = new DisplayedRows();
    const before = children(3);
    rows.give(place, before);
    const now = children(3).map((node, index) => ({ ...node, detail: index === 1 ? 'changed' : '' }));
    const isOther = (drawn: TreeNode, node: TreeNode) =>
      drawn.kind === 'notice' && node.kind === 'notice' && drawn.detail !== node.detail;
    expect(rows.isOutdated(place, now)).toBe(false);
    expect(rows.redrawn(place, now, isOther)).toEqual([before[1]]);
    expect(rows.redrawn(place, now, isOther)).toEqual([]);
    expect(rows.give(place, now)[1]).toBe(before[1]);
    expect(rows.isOutdated(place, now.toReversed())).toBe(true);
    expect(rows.isOutdated(place, now.slice(1))).toBe(true);
  });
});
