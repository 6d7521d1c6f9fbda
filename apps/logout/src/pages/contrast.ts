/** The background of the pages, light and dark. */
export const LIGHT_CARD = '#ffffff';
export const DARK_CARD = '#1d2128';

/** The contrast of two colours of the form `#rrggbb`, from 1 to 21 (WCAG 2.2, definition of contrast ratio). */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(colour.slice(at, at + 2)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(hex: string): number {
  const value = Number.parseInt(hex, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
