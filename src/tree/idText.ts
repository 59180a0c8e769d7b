/** An identifier as text: releases send it as a string or as a number. */
export function idText(id: string | number | null | undefined): string {
  return id === null || id === undefined ? '' : String(id);
}
