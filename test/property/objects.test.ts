import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editableView, withView } from '../../src/objects/merge/editableView.ts';
import { identifierText, parseExact, isJsonObject, type Json, type JsonObject } from '../../src/objects/json.ts';
import { threeWayMerge } from '../../src/objects/merge/threeWayMerge.ts';
import { figure } from '../support/run/figure.ts';
import { objectJson, smallView, testShape } from './objectsArbitrary.ts';
import { propertyRuns } from '../support/run/soakSize.ts';

const numRuns = propertyRuns(3_000, 10_000);

describe('whole-object fidelity', () => {
  it('sends an object that was opened and saved without an edit back to the byte', () => {
    fc.assert(
      fc.property(objectJson, (text) => {
        const full = objectOf(text);
        const opened = JSON.stringify(editableView(full, testShape), undefined, 2);
        const view = objectOf(opened);
        const merged = threeWayMerge(view, objectOf(opened), editableView(full, testShape), testShape);
        expect(merged.conflicts).toEqual([]);
        expect(JSON.stringify(withView(full, merged.view, testShape))).toBe(JSON.stringify(full));
        expect(JSON.stringify(full)).toBe(compact(text));
      }),
      { numRuns },
    );
    figure('R8', `${numRuns} random objects opened and saved, 0 differences on the wire`);
  });

  it('changes nothing but the field that was edited', () => {
    fc.assert(
      fc.property(objectJson, fc.string(), (text, value) => {
        const full = objectOf(text);
        const view = editableView(full, testShape);
        const merged = threeWayMerge(view, { ...view, Name: value }, view, testShape);
        const expected = Object.hasOwn(full, 'Name')
          ? Object.fromEntries(Object.entries(full).map(([key, old]) => [key, key === 'Name' ? value : old]))
          : Object.fromEntries([...Object.entries(full), ['Name', value]]);
        expect(JSON.stringify(withView(full, merged.view, testShape))).toBe(JSON.stringify(expected));
      }),
      { numRuns },
    );
  });
});

describe('three-way merge', () => {
  it('drops no change: each stands in the result or is reported', () => {
    let conflicting = 0;
    fc.assert(
      fc.property(smallView, smallView, smallView, (base, mine, theirs) => {
        const merge = threeWayMerge(base, mine, theirs, testShape);
        if (merge.conflicts.length > 0) conflicting++;
        const [before, my, their, result] = [base, mine, theirs, merge.view].map(leaves);
        const places = new Set([before, my, their, result].flatMap((map) => [...(map?.keys() ?? [])]));
        for (const place of places) {
          const [b, m, t, r] = [before, my, their, result].map((map) => map?.get(place));
          const isReported = merge.conflicts.some(({ path }) => isBelow(place, path));
          if (place === 'Modified') {
            expect(r, place).toBe(t);
            expect(merge.readOnlyEdits.includes(place), place).toBe(m !== b && m !== t);
          } else if (isReported) {
            // Reported at or above this place: what the result holds there is still open.
          } else if (m !== b && t !== b) {
            // Both sides changed this very leaf and nothing is reported: they must agree.
            expect(m, place).toBe(t);
            expect(r, place).toBe(t);
          } else {
            expect(r, place).toBe(m === b ? t : m);
          }
        }
        for (const { path } of merge.conflicts) {
          const here = [...places].filter((place) => isBelow(place, path));
          const differs = (one: ReadonlyMap<string, string> | undefined) =>
            here.some((place) => one?.get(place) !== before?.get(place));
          expect(differs(my) && differs(their), path).toBe(true);
        }
      }),
      { numRuns },
    );
    expect(conflicting).toBeGreaterThan(numRuns / 10);
    figure('R7', `${numRuns} random merges, ${conflicting} with conflicts, 0 changes dropped`);
  });

  it('is symmetric but for whose side wins', () => {
    fc.assert(
      fc.property(smallView, smallView, smallView, (base, mine, theirs) => {
        const paths = (one: JsonObject, other: JsonObject) =>
          threeWayMerge(base, one, other, testShape)
            .conflicts.map(({ path }) => path)
            .sort();
        expect(paths(mine, theirs)).toEqual(paths(theirs, mine));
      }),
      { numRuns },
    );
  });

  it('lets the chosen side win in every conflict, and leaves none', () => {
    fc.assert(
      fc.property(smallView, smallView, smallView, fc.constantFrom('mine', 'theirs'), (base, mine, theirs, side) => {
        const open = threeWayMerge(base, mine, theirs, testShape);
        const settled = threeWayMerge(base, mine, theirs, testShape, () => side);
        expect(settled.conflicts).toEqual([]);
        const [chosen, result] = [side === 'mine' ? mine : theirs, settled.view].map(leaves);
        for (const { path } of open.conflicts) {
          const of = (map: ReadonlyMap<string, string> | undefined) =>
            [...(map ?? [])].filter(([place]) => isBelow(place, path)).sort();
          expect(of(result)).toEqual(of(chosen));
        }
      }),
      { numRuns },
    );
  });
});

/** Every object and leaf of a view by its place, entries of Groups by their identity; other lists are leaves. */
function leaves(view: JsonObject): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (value: Json, place: string): void => {
    if (place === 'Groups' && Array.isArray(value)) {
      found.set(place, 'list');
      for (const entry of value) if (isJsonObject(entry)) visit(entry, `${place}/${identifierText(entry.GroupId)}`);
    } else if (isJsonObject(value)) {
      if (place !== '') found.set(place, 'object');
      for (const [key, field] of Object.entries(value)) visit(field, place === '' ? key : `${place}/${key}`);
    } else found.set(place, JSON.stringify(value));
  };
  visit(view, '');
  return found;
}

function isBelow(place: string, path: string): boolean {
  return place === path || place.startsWith(`${path}/`);
}

function objectOf(text: string): JsonObject {
  const value = parseExact(text);
  if (!isJsonObject(value)) throw new Error(`No object: ${text}`);
  return value;
}

/** The text as a serializer writes its strings, found without our own reading: numbers stay as they are. */
function compact(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (literal) => JSON.stringify(JSON.parse(literal)));
}
