import { readFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Connection, openConnection } from '../load/connection.js';
import { basicAuthorization, rawRequest } from '../load/raw-request.js';
import type { Exchange, Target } from '../workloads/workload.js';
import { introspectionRequest } from './introspection-traffic.js';

const ConfiguredServer = Type.Object({
  name: Type.String({ minLength: 1, description: 'Its name in the report.' }),
  baseUrl: Type.String({ pattern: '^http://127\\.0\\.0\\.1:[1-9][0-9]*$', description: 'Loopback only.' }),
  pid: Type.Optional(Type.Integer({ minimum: 1, description: 'Its process id, to measure CPU time.' })),
  clientId: Type.String({ description: 'A client that may introspect, with client_secret_basic.' }),
  clientSecret: Type.String(),
  introspectionPath: Type.String({ pattern: '^/' }),
  tokenPath: Type.String({
    pattern: '^/',
    description: 'Token endpoint that supports client_credentials for the client.',
  }),
  scope: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]+$', description: 'A scope to request.' })),
});

/** Another server that the user started on this machine. */
export type ConfiguredServer = Static<typeof ConfiguredServer>;

const SAMPLES = 50;

/** Reads a list of servers from a JSON file. @throws when it is invalid */
export async function readConfiguredServers(file: string): Promise<readonly ConfiguredServer[]> {
  return Value.Parse(Type.Array(ConfiguredServer), JSON.parse(await readFile(file, 'utf8')));
}

/** The introspection endpoint of another server, with tokens that it issues to the client itself. */
export function configuredIntrospection(server: ConfiguredServer, count: number): Target {
  const { name, baseUrl, pid, clientId, clientSecret, introspectionPath } = server;
  const port = Number(new URL(baseUrl).port);
  const caller = { path: introspectionPath, clientId, clientSecret };
  return {
    name,
    open: async () => {
      const connection = await openConnection(port);
      const load: string[] = [];
      while (load.length < count)
        load.push(introspectionRequest(caller, await obtainToken(connection, server)));
      connection.close();
      const samples = load.slice(0, SAMPLES).map(activeExchange);
      return {
        port,
        ...(pid !== undefined && { pid }),
        traffic: { kind: 'replay', load, samples },
        close: async () => undefined,
      };
    },
  };
}

async function obtainToken(connection: Connection, server: ConfiguredServer): Promise<string> {
  const { name, clientId, clientSecret, tokenPath, scope } = server;
  const response = await connection.send(
    rawRequest({
      method: 'POST',
      path: tokenPath,
      headers: {
        ...basicAuthorization(clientId, clientSecret),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `grant_type=client_credentials${scope === undefined ? '' : `&scope=${encodeURIComponent(scope)}`}`,
    }),
  );
  if (response.status !== 200)
    throw new Error(`${name} issues no token: ${response.status} ${response.body}`);
  return Value.Parse(Type.Object({ access_token: Type.String() }), JSON.parse(response.body)).access_token;
}

function activeExchange(request: string): Exchange {
  return {
    request,
    problem: ({ status, body }) =>
      status === 200 && JSON.parse(body).active === true
        ? undefined
        : 'the response about a live token is not active',
  };
}
