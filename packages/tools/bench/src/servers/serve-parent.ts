import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** A server, and what the parent has to know besides its port. */
export interface ServedBuild {
  /** Listens on a free port of 127.0.0.1 and gives that port. */
  listen(): Promise<number>;
  readonly details?: unknown;
}

/**
 * Runs a server as a child process: reads its configuration from the parent, reports the port, ends with the parent.
 */
export async function serveParent<Schema extends TSchema>(
  schema: Schema,
  build: (configuration: Static<Schema>) => Promise<ServedBuild>,
): Promise<void> {
  const { listen, details } = await build(await receiveConfiguration(schema));
  process.send?.({ port: await listen(), details });
}

/** Runs a task as a child process: reads its configuration from the parent, and reports the result. */
export async function reportToParent<Schema extends TSchema>(
  schema: Schema,
  run: (configuration: Static<Schema>) => Promise<object>,
): Promise<void> {
  process.send?.(await run(await receiveConfiguration(schema)));
}

/** Waits for the message of the parent. The process ends with the parent. */
async function receiveConfiguration<Schema extends TSchema>(schema: Schema): Promise<Static<Schema>> {
  process.once('disconnect', () => process.exit(0));
  process.once('SIGTERM', () => process.exit(0));
  const [message] = await once(process, 'message');
  return Value.Parse(schema, message);
}

/** Starts a plain Node server. */
export async function listenOn(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
