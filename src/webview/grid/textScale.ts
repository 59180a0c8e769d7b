/** Width of an average character that the host reckons with, in pixels. */
const reckoned = 7.1;

/**
 * How much wider the texts of an element are in its font than the host, which knows no fonts, reckoned; 1 where they are not.
 * @param isBold whether some are bold.
 */
export function textScale(element: HTMLElement, isBold: boolean): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 1;
  const { fontSize, fontFamily } = getComputedStyle(element);
  context.font = `${isBold ? '600 ' : ''}${fontSize} ${fontFamily}`;
  const sample = '0123456789';
  return Math.max(1, context.measureText(sample).width / sample.length / reckoned);
}
