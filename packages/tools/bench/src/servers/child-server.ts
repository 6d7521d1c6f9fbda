import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type RunningProcess, startProcess } from './child-process.js';

/** The servers of this package; each is a module that runs in a separate process. */
export type ChildServerName =
  | 'bare-express'
  | 'bare-fastify'
  | 'bare-http'
  | 'bare-storage'
  | 'bare-work'
  | 'express-api'
  | 'fastify-api'
  | 'oidc-provider';

/** A listening server. */
export interface ChildServer {
  readonly process: RunningProcess;
  readonly port: number;
  /** Further data that the server reported when it was ready. */
  readonly details: unknown;
}

const Ready = Type.Object({ port: Type.Integer({ minimum: 1 }), details: Type.Optional(Type.Unknown()) });

/** Starts a server of this package with its configuration. @throws Error when it exits before it listens */
export async function startChildServer(
  name: ChildServerName,
  configuration: object,
  prefix: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<ChildServer> {
  const module = fileURLToPath(new URL(`./${name}-server.js`, import.meta.url));
  const started = await startProcess({ module, prefix, nodeOptions, withChannel: true });
  const { child } = started;
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the ${name} server did not start: ${started.complaints()}`);
  });
  child.send(configuration);
  const [message] = await Promise.race([once(child, 'message'), ended]);
  const { port, details } = Value.Parse(Ready, message);
  ended.catch(() => undefined);
  return { process: started, port, details };
}
