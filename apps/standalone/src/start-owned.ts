import type { BuildContext } from '@vestibule/service/process';

/** Starts a server that stops with this process, even if the start is cancelled while the server is starting. */
export function startOwned<Server extends { stop(): Promise<void> }>(
  own: BuildContext<never>['own'],
  name: string,
  start: () => Promise<Server>,
): Promise<Server> {
  let starting: Promise<Server> | undefined;
  own({
    name,
    // A server that is still starting is awaited: it would outlive this process.
    close: async () => {
      const server = await starting?.catch(() => undefined);
      await server?.stop();
    },
  });
  starting = start();
  return starting;
}
