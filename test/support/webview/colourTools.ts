/** Red, green, blue and the share that they cover. */
export type Colour = [red: number, green: number, blue: number, alpha: number];

/** In the page: how its colours are read, mixed and compared. Serialized as a whole: it must use nothing from outside. */
export function colourTools() {
  const drawing = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map<string, Colour>();
  const read = (text: string): Colour => {
    if (!drawing) throw new Error('The page has no canvas.');
    drawing.clearRect(0, 0, 1, 1);
    drawing.fillStyle = text;
    drawing.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = drawing.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const parse = (text: string): Colour => {
    const colour = known.get(text) ?? read(text);
    known.set(text, colour);
    return colour;
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
  /** What is behind the contents of an element, and how opaque those are. */
  const ground = (element: Element): { behind: Colour; opacity: number } => {
    let behind: Colour = [255, 255, 255, 1];
    let opacity = 1;
    const chain: Element[] = [];
    for (let each: Element | null = element; each !== null; each = each.parentElement) chain.unshift(each);
    for (const each of chain) {
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
  return { parse, over, ratio, ground, isSeen };
}

/** An expression for a page, that calls a function with these tools. */
export function withColourTools(measure: (tools: ReturnType<typeof colourTools>) => unknown): string {
  return `(${measure.toString()})((${colourTools.toString()})())`;
}
