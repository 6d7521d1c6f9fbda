import { isIPv6 } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServerTls } from '@vestibule/http';
import { type ListenAddress, listenError, type OpenServer } from '@vestibule/service/process';
import { type AuthorizationCheckDeps, authorizationCheck, CHECK } from './authorization-service.js';
import { HEALTH_CHECK, healthCheck } from './health-service.js';
import { decodeHealthCheckRequest, encodeCheckResponse, encodeHealthCheckResponse } from './messages.js';

/** Maximum size of a message, in bytes: twice the headers that Envoy accepts by default, and a certificate. */
const MAX_MESSAGE_BYTES = 131_072;
/** Maximum number of concurrent checks of a connection. */
const MAX_CHECKS = 1_000;
/** Interval of the pings that find connections that are gone. */
const KEEPALIVE_MS = 30_000;
/** Time limit of the response to such a ping. */
const KEEPALIVE_TIMEOUT_MS = 10_000;

/** Without channelz, which is on by default, `forceShutdown` would not end connections. */
const OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_concurrent_streams': MAX_CHECKS,
  'grpc.keepalive_time_ms': KEEPALIVE_MS,
  'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
};

/** Dependencies of {@link openGrpcServer}. */
export interface GrpcServerDeps extends AuthorizationCheckDeps {
  /** Without it, connections are not encrypted. */
  readonly tls?: ServerTls;
}

/** A server that listens. From the begin of its drain on, its health service says that it does not serve. */
export interface GrpcServer extends OpenServer {
  readonly port: number;
}

/**
 * Opens the server of external authorization over gRPC, with the health service of gRPC.
 * @throws StartError if the port cannot be opened
 */
export async function openGrpcServer(deps: GrpcServerDeps, address: ListenAddress): Promise<GrpcServer> {
  const server = new Server(OPTIONS);
  let isDraining = false;
  server.register(CHECK, authorizationCheck(deps), encodeCheckResponse, (bytes) => bytes, 'unary');
  server.register(
    HEALTH_CHECK,
    healthCheck(() => !isDraining),
    encodeHealthCheckResponse,
    decodeHealthCheckRequest,
    'unary',
  );
  return {
    name: 'grpc',
    port: await bind(server, address, serverCredentials(deps.tls)),
    beginDrain: () => {
      isDraining = true;
    },
    close: (limitMs) => close(server, limitMs),
  };
}

function bind(server: Server, address: ListenAddress, credentials: ServerCredentials): Promise<number> {
  const { host, port } = address;
  const target = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(target, credentials, (error, bound) => {
      if (error === null) resolve(bound);
      else reject(listenError(codeOf(error), address) ?? error);
    });
  });
}

/** With authorities, a client needs a certificate of one of them. */
function serverCredentials(tls: ServerTls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { certificate, key, clientAuthorities } = tls;
  const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
  return clientAuthorities === undefined
    ? ServerCredentials.createSsl(null, [pair])
    : ServerCredentials.createSsl(Buffer.from(clientAuthorities), [pair], true);
}

/** The library has the code of the system in its sentence only. */
function codeOf({ message }: Error): string {
  return /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? '';
}

function close(server: Server, limitMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let wasCut = false;
    const cut = setTimeout(() => {
      wasCut = true;
      server.forceShutdown();
    }, limitMs);
    server.tryShutdown((error) => {
      clearTimeout(cut);
      if (wasCut || error === undefined) resolve(!wasCut);
      else reject(error);
    });
  });
}
