import { expect, it } from 'vitest';
import { aboutMinutesLeft, minutesLeft } from '../../../src/connections/minutesLeft.ts';

it.each([
  [1_200_000, 20],
  [1_201_000, 20],
  [1_199_000, 20],
  [1_140_000, 19],
  [61_000, 1],
  [30_000, 1],
  [0, 0],
  [-1_000, 0],
])('%d ms are %d minutes', (ms, minutes) => {
  expect(minutesLeft(new Date(5_000_000 + ms), 5_000_000)).toBe(minutes);
});

it.each([
  [20, 20],
  [19, 20],
  [16, 20],
  [15, 15],
  [6, 10],
  [5, 5],
  [4, 4],
  [0, 0],
])('%d minutes are about %d', (minutes, about) => {
  expect(aboutMinutesLeft(new Date(5_000_000 + minutes * 60_000), 5_000_000)).toBe(about);
});
