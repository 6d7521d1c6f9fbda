import type { Provider } from 'oidc-provider';

/**
 * Makes a provider call every listener of an event, also after one that throws, and goes on with the response. The
 * library calls listeners while it handles a request, which would otherwise fail with them. A listener whose promise
 * rejects is reported too, and does not end the process.
 */
export function isolateListeners(provider: Provider, onProblem: (problem: string) => void): void {
  const emit = provider.emit.bind(provider);
  const report = (event: string | symbol, error: unknown) =>
    onProblem(
      `createProvider: a listener of ${String(event)} failed; the response does not depend on it: ${error instanceof Error ? error.message : String(error)}`,
    );
  provider.emit = (event, ...parameters) => {
    const listeners = provider.rawListeners(event);
    // Without a listener, an event `error` throws.
    if (listeners.length === 0) return emit(event, ...parameters);
    for (const listener of listeners)
      try {
        const result = Reflect.apply(listener, provider, parameters);
        if (result instanceof Promise) result.catch((error: unknown) => report(event, error));
      } catch (error) {
        report(event, error);
      }
    return true;
  };
}
