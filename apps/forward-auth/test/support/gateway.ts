import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import { onTestFinished, vi } from 'vitest';
import { type ReceivedResponse, type RequestHeaders, sendRequest } from './send-request.js';

const EXAMPLES = new URL('../../examples/', import.meta.url);

/** Ports of the examples. */
const GATEWAY = '3000';
const SERVICE = '8086';
const SERVICE_GRPC = '10086';
const UPSTREAM = '9000';

const START_TIMEOUT_MS = 60_000;

/** A gateway of the examples. */
export interface GatewayProgram {
  readonly name: string;
  /** Where the operating system installs it. */
  readonly path: string;
  readonly arguments: readonly string[];
  /** Its files in the examples. */
  readonly files: readonly string[];
  /** Whether it checks over gRPC. Default: over HTTP. */
  readonly usesGrpc?: boolean;
}

/** A gateway that runs. */
export interface Gateway {
  /** Sends a request of a client to `api.example`. */
  send(target: string, headers?: RequestHeaders): Promise<ReceivedResponse>;
  /** Requests that reached the upstream, in order. */
  readonly upstream: readonly UpstreamRequest[];
}

/** A request as the upstream sees it. */
export interface UpstreamRequest {
  readonly target: string;
  /** Names, in lower case, and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingHttpHeaders;
}

/** Whether a gateway is installed. */
export function isInstalled({ path }: GatewayProgram): boolean {
  return existsSync(path);
}

/**
 * Starts a gateway with the files of the examples, in front of an upstream that responds to everything.
 * @param hasSignedTokens whether the lines for signed tokens are in use
 */
export async function startGateway(
  program: GatewayProgram,
  {
    servicePort,
    grpcPort = 0,
    hasSignedTokens = false,
  }: {
    readonly servicePort: number;
    /** Only for gateways that check over gRPC. */
    readonly grpcPort?: number;
    readonly hasSignedTokens?: boolean;
  },
): Promise<Gateway> {
  const upstream: UpstreamRequest[] = [];
  const upstreamPort = await startUpstream(upstream);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-gateway-'));
  const ports = new Map([
    [GATEWAY, String(port)],
    [SERVICE, String(servicePort)],
    [SERVICE_GRPC, String(grpcPort)],
    [UPSTREAM, String(upstreamPort)],
  ]);
  for (const name of program.files) {
    const example = readFileSync(new URL(name, EXAMPLES), 'utf8');
    const text = hasSignedTokens ? withSignedTokens(example) : example;
    writeFileSync(
      join(folder, name),
      text.replace(/\b(?:3000|8086|10086|9000)\b/g, (each) => ports.get(each) ?? each),
    );
  }
  const child = spawn(program.path, [...program.arguments], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  });
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`${program.name} ended: ${output}`);
      return isListening(port);
    },
    { timeout: START_TIMEOUT_MS },
  );
  return {
    send: (target, headers = {}) => sendRequest(port, target, { host: 'api.example', ...headers }),
    upstream,
  };
}

/** Takes the lines into use that follow the remark about signed tokens. */
function withSignedTokens(example: string): string {
  return example.replace(
    /^( *|\t*)(#|--) With UPSTREAM_TOKEN_KEYS:\n((?:\1\2 .*\n)+)/m,
    (_all, indent: string, mark: string, lines: string) => lines.replaceAll(`${indent}${mark} `, indent),
  );
}

async function startUpstream(seen: UpstreamRequest[]): Promise<number> {
  const server = createServer(({ method, url, headers, rawHeaders }, response) => {
    const names = rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text));
    seen.push({ target: `${method} ${url}`, headers, rawHeaders: names });
    response.end('from the upstream');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}

async function isListening(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect').finally(() => socket.destroy());
}
