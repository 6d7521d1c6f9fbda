import type { RequestListener } from 'node:http';
import type { Provider, ProviderContext } from 'oidc-provider';

/** Where a {@link followingProvider} gets its providers from. */
export interface FollowedProvider<Instance> {
  /** The provider of the keys as last read. */
  readonly present: () => Instance & Provider;
  /** The same, after a look at the keys. */
  readonly current: () => Promise<Instance & Provider>;
  /** Handles requests with the current provider. */
  readonly callback: () => RequestListener;
}

/** What changes one provider only, and would be lost with the next one. */
const CHANGES: readonly PropertyKey[] = [
  'on',
  'once',
  'addListener',
  'prependListener',
  'prependOnceListener',
  'use',
  'registerGrantType',
  'registerResponseMode',
];

/**
 * A provider that can be kept: whatever it is asked for comes from the provider of the present keys, and it handles
 * requests with the current one however it is mounted. What would change only one of them is refused by name.
 */
export function followingProvider<Instance extends object>({
  present,
  current,
  callback,
}: FollowedProvider<Instance>): Instance {
  const middleware = [
    async (ctx: ProviderContext, next: () => Promise<void>) => {
      const provider = await current();
      await provider.compose(provider.middleware)(ctx, next);
    },
  ];
  return new Proxy<Instance>(present(), {
    get: (_first, name, following) => {
      if (name === 'callback') return callback;
      if (name === 'middleware') return middleware;
      const provider = present();
      const value: unknown = Reflect.get(provider, name, provider);
      if (typeof value !== 'function') return value;
      if (CHANGES.includes(name)) return () => refuse(name);
      // A server that it starts itself calls `callback`.
      if (name === 'listen') return value.bind(following);
      // Methods read private members; classes, such as those of grants and tokens, are returned as they are.
      return Object.hasOwn(value, 'prototype') ? value : value.bind(provider);
    },
    has: (_first, name) => Reflect.has(present(), name),
    set: (_first, name) => refuse(name),
    defineProperty: (_first, name) => refuse(name),
    deleteProperty: (_first, name) => refuse(name),
  });
}

function refuse(name: PropertyKey): never {
  throw new TypeError(
    `joined.provider.${String(name)}: must be set or called in createProvider, because another provider is created when the signing keys change.`,
  );
}
