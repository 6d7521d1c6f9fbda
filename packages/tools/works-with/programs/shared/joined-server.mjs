import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

const WAIT_MS = 400_000;

/** Ports of the page that joins a server, and those of this run. */
const PORTS = {
  3000: process.env.GATEWAY_PORT,
  8080: process.env.STACK_PORT,
  4001: process.env.PORT,
  8180: process.env.KEYCLOAK_PORT,
  4444: process.env.PUBLIC_PORT,
  4445: await freePort(),
  5555: await freePort(),
  5556: await freePort(),
};
/** The port of Hydra's admin API. */
export const ADMIN_PORT = PORTS[4445];
/** The ports of the login application and of the program in front of the token endpoint. */
export const APPLICATION_PORTS = [PORTS[5555], PORTS[5556]];
const PAGE_PORT = new RegExp(`(?<=[:=( ])(?:${Object.keys(PORTS).join('|')})\\b`, 'g');

/** Writes files of the page to a folder, with the ports of this run. */
export function adaptFiles(folder, names) {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const text = readFileSync(name, 'utf8');
    writeFileSync(
      `${folder}/${name}`,
      text.replace(PAGE_PORT, (port) => PORTS[port] ?? port),
    );
  }
}

/** Starts a process that ends with this one. What it prints goes to standard error. */
export function start(command, args, env = {}, cwd = '.') {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stderr.write(text);
    });
  process.once('exit', () => child.kill());
  return { child, output: () => output };
}

/** Calls until the result is not undefined. Fails after `limitMs`. */
export async function until(what, attempt, limitMs = WAIT_MS) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const result = await attempt();
    if (result !== undefined && result !== false) return result;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${limitMs / 1000} seconds`);
    await pause(100);
  }
}

/** Waits until an address responds with 200. */
export function serves(url) {
  return until(`${url} responds`, () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

/** Waits until a server listens. */
export function listens(port) {
  const attempt = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  return until(`port ${port}`, attempt);
}

/** Starts nginx with the configuration of the page, and waits for an address behind it. */
export function startGateway(url) {
  start('nginx', ['-p', `${process.cwd()}/run`, '-c', 'nginx.conf', '-g', 'daemon off;']);
  return serves(url);
}

/** Runs a program of the page to its end, and resolves with what it printed. */
export async function run(name) {
  const { child, output } = start('node', [`run/${name}`]);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name}: ${output()}`);
  return output();
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
