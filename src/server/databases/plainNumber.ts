/**
 * Formats a number without an exponent and with all its digits, for databases whose exact types accept no other form.
 * `text` is a decimal number, as in row security and criteria.
 */
export function plainNumber(text: string): string {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?[eE]([+-]?\d{1,3})$/.exec(text);
  if (!found) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = digits.padEnd(point, '0').padStart(digits.length - Math.min(point, 0), '0');
  const at = Math.max(point, 0);
  const [before, after] = [padded.slice(0, at).replace(/^0+(?=\d)/, '') || '0', padded.slice(at)];
  return `${sign === '-' ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`;
}
