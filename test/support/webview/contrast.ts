import type { Locator } from 'playwright-core';

/**
 * The contrast of a text with what is behind it, by the pixels that are drawn: the colour of most of them is the background, the
 * one farthest from it the text. From 1 (unreadable) to 21. A border of the text's box does not count.
 */
export async function contrastOf(text: Locator): Promise<number> {
  const page = text.page();
  const box = await text.boundingBox();
  if (!box) throw new Error('The text is not displayed.');
  const clip = { x: box.x + 2, y: box.y + 2, width: Math.max(1, box.width - 4), height: Math.max(1, box.height - 4) };
  const picture = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' });
  return page.evaluate(contrastIn, picture.toString('base64'));
}

/** In the page. */
async function contrastIn(png: string): Promise<number> {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const drawing = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  if (!drawing) throw new Error('The picture cannot be read.');
  drawing.drawImage(bitmap, 0, 0);
  const pixels = new Uint32Array(drawing.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const linear = (byte: number) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (pixel: number) =>
    0.2126 * linear(pixel & 255) + 0.7152 * linear((pixel >> 8) & 255) + 0.0722 * linear((pixel >> 16) & 255);
  const [[background] = [0]] = [...counts].sort(([, one], [, other]) => other - one);
  const behind = luminance(background);
  const ratio = (pixel: number) => {
    const light = luminance(pixel);
    return (Math.max(light, behind) + 0.05) / (Math.min(light, behind) + 0.05);
  };
  // A colour of one pixel or two may be that of an edge.
  return Math.max(...[...counts].filter(([, count]) => count > 2).map(([pixel]) => ratio(pixel)));
}
