/** How the values of properties are changed on their way. */
export type Changes<O> = { readonly [K in keyof O]?: (value: O[K]) => O[K] };

/**
 * An object of the editor whose texts are made inert when they are set. It is used in place of the editor's own, so that no
 * text can be set past it.
 * @param changes of what is set, and `readings` of what is read.
 */
export function inertObject<O extends object>(object: O, changes: Changes<O>, readings: Changes<O> = {}): O {
  const changeOf = new Map<PropertyKey, (value: never) => unknown>(Object.entries(changes) as never);
  const readingOf = new Map<PropertyKey, (value: never) => unknown>(Object.entries(readings) as never);
  return new Proxy(object, {
    set: (target, key, value) => Reflect.set(target, key, changeOf.get(key)?.(value as never) ?? value),
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      const reading = readingOf.get(key);
      if (reading) return reading(value as never);
      // The editor's objects keep their state in fields that only they can read.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
