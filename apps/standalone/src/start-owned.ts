import type { BuildContext } from '@vestibule/service-kit/process';

/** Starts a server that ends with this process, also when the start is called off while the server is starting. */
export function startOwned<Server extends { stop(): Promise<void> }>(
  own: BuildContext<never>['own'],
  name: string,
  start: () => Promise<Server>,
): Promise<Server> {
  let starting: Promise<Server> | undefined;
  own({
    name,
    // A server that is only just starting is waited for: it would outlive this process.
    close: async () => {
      const server = await starting?.catch(() => undefined);
      await server?.stop();
    },
  });
  starting = start();
  return starting;
}
