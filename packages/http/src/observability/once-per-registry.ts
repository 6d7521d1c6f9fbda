import type { Registry } from 'prom-client';

/**
 * Creates metrics on the first call for a registry, and returns the same ones later, because several services of a
 * process may use the same metrics.
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
