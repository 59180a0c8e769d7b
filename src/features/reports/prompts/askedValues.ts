import type { PromptShape } from './promptFields.ts';

/** What a value was entered for: the name of its prompt, and how that compares. */
export interface AskedFor {
  name: string;
  mode: string;
}

/** What the values of a form with these prompts are entered for, by place. */
export function askedFor(shapes: readonly PromptShape[]): AskedFor[] {
  return shapes.map(({ name, mode }) => ({ name, mode }));
}

/**
 * Finds the values that prompts ask for again. Reports change: a prompt may be gone, another come, and their order be another.
 * A prompt has the value of its own place before others that are asked for alike, and no value serves two.
 * @returns by prompt, the place of its value among those entered for `asked`; undefined where there is none.
 */
export function placesOfValues(
  asked: readonly AskedFor[],
  shapes: readonly AskedFor[],
): readonly (number | undefined)[] {
  const isSame = (place: number, { name, mode }: AskedFor) => asked[place]?.name === name && asked[place].mode === mode;
  const inPlace = shapes.map((shape, index) => (isSame(index, shape) ? index : undefined));
  const taken = new Set(inPlace);
  return shapes.map((shape, index) => {
    if (inPlace[index] !== undefined) return index;
    const place = asked.findIndex((_, at) => !taken.has(at) && isSame(at, shape));
    if (place < 0) return undefined;
    taken.add(place);
    return place;
  });
}
