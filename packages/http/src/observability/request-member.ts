/** A value attached to some requests. */
export interface RequestMember<Value> {
  set(request: object, value: Value): void;
  get(request: object): Value | undefined;
}

/**
 * Creates a private member of requests. A `WeakMap` would do the same, but entries in a long-lived one survive their
 * key until the old generation of the heap is collected.
 * @param name distinguishes it from other members when a request is inspected
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
