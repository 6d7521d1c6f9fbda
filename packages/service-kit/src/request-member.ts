/** Something that is known of some requests. */
export interface RequestMember<Value> {
  set(request: object, value: Value): void;
  get(request: object): Value | undefined;
}

/**
 * A member of requests that nobody else sees. A `WeakMap` would do the same, but what is in one that has lived for long
 * outlives its key: it stays until the old part of the heap is collected.
 * @param name tells it from others where requests are looked at
 */
export function requestMember<Value>(name: string): RequestMember<Value> {
  const key = Symbol(name);
  type Holder = { [key]?: Value };
  return {
    set: (request: Holder, value) => {
      request[key] = value;
    },
    get: (request: Holder) => request[key],
  };
}
