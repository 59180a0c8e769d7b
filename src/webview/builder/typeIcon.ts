/** Codicon of a field type code. API description, Field type codes. */
export function typeIcon(type: string): string {
  switch (type) {
    case 'num':
    case 'cur':
    case 'per':
      return 'symbol-numeric';
    case 'dat':
    case 'dtz':
    case 'doz':
    case 'udt':
    case 'tsp':
      return 'calendar';
    case 'lnk':
    case 'flk':
      return 'link';
    case 'ddn':
      return 'arrow-small-down';
    case 'for':
      return 'symbol-operator';
    default:
      return 'symbol-string';
  }
}

/** Whether values of a type are numbers, so that they can be added up. */
export function isNumeric(type: string): boolean {
  return ['num', 'cur', 'per'].includes(type);
}

/** Whether values of a type are moments or days. */
export function isMoment(type: string): boolean {
  return ['dat', 'dtz', 'doz', 'udt', 'tsp'].includes(type);
}
