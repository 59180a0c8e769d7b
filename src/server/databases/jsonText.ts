/** A moment without the zeros that its type adds behind the seconds. */
export function withoutZeros(moment: string): string {
  return moment.replace(/\.(\d*?)0+(?=\D|$)/, (_, kept: string) => (kept === '' ? '' : `.${kept}`));
}

/** A value as JSON text; bytes become hexadecimal text. */
export function plainText(value: unknown): string {
  return JSON.stringify(Buffer.isBuffer(value) ? value.toString('hex').toUpperCase() : String(value));
}
