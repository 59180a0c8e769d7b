import type { Frame } from 'playwright-core';

/**
 * Measures every colour that a page shows against what is behind it, as computed by the browser: texts, also those of
 * disabled controls and placeholders (4.5:1), icons and the edges of boxes (3:1).
 * @returns what is below, in words.
 */
export async function faintColours(frame: Frame): Promise<string[]> {
  return frame.evaluate(measure);
}

/** In the page. */
function measure(): string[] {
  type Colour = [red: number, green: number, blue: number, alpha: number];
  const drawing = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!drawing) return ['no canvas'];
  const parse = (text: string): Colour => {
    drawing.clearRect(0, 0, 1, 1);
    drawing.fillStyle = text;
    drawing.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = drawing.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([r, g, b, alpha]: Colour, [R, G, B]: Colour, opacity = 1): Colour => {
    const share = alpha * opacity;
    return [r * share + R * (1 - share), g * share + G * (1 - share), b * share + B * (1 - share), 1];
  };
  const luminance = (colour: Colour) => {
    const [r = 0, g = 0, b = 0] = colour.slice(0, 3).map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one: Colour, other: Colour) => {
    const [a, b] = [luminance(one), luminance(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const ancestry = (element: Element) => {
    const chain: Element[] = [];
    for (let each: Element | null = element; each !== null; each = each.parentElement) chain.unshift(each);
    return chain;
  };
  /** What is behind the contents of an element, and how opaque those are. */
  const ground = (element: Element): { behind: Colour; opacity: number } => {
    let behind: Colour = [255, 255, 255, 1];
    let opacity = 1;
    for (const each of ancestry(element)) {
      const style = getComputedStyle(each);
      opacity *= Number(style.opacity);
      behind = over(parse(style.backgroundColor), behind, opacity);
      const layer = /^linear-gradient\((.+?\)), /.exec(style.backgroundImage)?.[1];
      if (layer !== undefined) behind = over(parse(layer), behind, opacity);
    }
    return { behind, opacity };
  };
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.closest('.unseen') === null &&
    element.getBoundingClientRect().width > 1;
  const found = new Set<string>();
  const check = (element: Element, colour: string, least: number, what: string) => {
    const { behind, opacity } = ground(element);
    const value = ratio(over(parse(colour), behind, opacity), behind);
    if (value >= least) return;
    const classes = [...element.classList].join('.');
    found.add(
      `${what} of ${element.tagName.toLowerCase()}.${classes}: ${value.toFixed(2)}, ${colour} on ${behind.map(Math.round).join()}`,
    );
  };
  for (const element of document.body.querySelectorAll('*')) {
    if (!isSeen(element) || element instanceof SVGElement || element instanceof HTMLScriptElement) continue;
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '',
    );
    if (hasText) check(element, style.color, 4.5, 'text');
    if (element.classList.contains('codicon')) check(element, getComputedStyle(element, '::before').color, 3, 'icon');
    const isBox =
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement ||
      (element instanceof HTMLInputElement && !['checkbox', 'radio', 'range'].includes(element.type));
    if (!isBox) continue;
    check(element, style.color, 4.5, 'value');
    if (!(element instanceof HTMLSelectElement) && element.placeholder !== '')
      check(element, getComputedStyle(element, '::placeholder').color, 4.5, 'placeholder');
    const isEdged = parseFloat(style.borderTopWidth) > 0 && parse(style.borderTopColor)[3] > 0;
    if (isEdged && element.parentElement)
      check(element.parentElement, style.borderTopColor, 3, `edge of ${element.className},`);
  }
  return [...found];
}
