import type { Registry } from 'prom-client';

/**
 * Makes metrics when the first one asks for them, and gives the same ones to the others: several services of one
 * process may count the same things.
 */
export function oncePerRegistry<Metrics>(
  make: (registry: Registry) => Metrics,
): (registry: Registry) => Metrics {
  const made = new WeakMap<Registry, Metrics>();
  return (registry) => {
    const metrics = made.get(registry) ?? make(registry);
    made.set(registry, metrics);
    return metrics;
  };
}
