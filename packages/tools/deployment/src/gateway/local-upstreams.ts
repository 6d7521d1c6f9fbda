import { DeploymentError } from '../deployment-error.js';

const SERVER = /^( *)server ([\w-]+:\d+) resolve( [^;]*)?;$/gm;
const LISTEN = /^( *)listen 8080;$/gm;

/**
 * The gateway's file of upstreams with addresses of this machine in place of names that are asked for: one line for
 * each instance of a service.
 * @throws DeploymentError when a service has no instance here
 */
export function localUpstreams(text: string, instances: ReadonlyMap<string, readonly string[]>): string {
  const named = text.replaceAll(/^resolver.*\n/gm, '');
  return named.replaceAll(SERVER, (_line, indent: string, name: string, rest = '') => {
    const places = instances.get(name) ?? [];
    if (places.length === 0) throw new DeploymentError(`The gateway asks for ${name}, and nothing is there.`);
    return places.map((place) => `${indent}server ${place}${rest};`).join('\n');
  });
}

/** The gateway's file with another port, on this machine alone. @throws DeploymentError when it has none to replace */
export function localListen(text: string, port: number): string {
  if ([...text.matchAll(LISTEN)].length !== 1)
    throw new DeploymentError('The configuration of the gateway does not listen at one place.');
  return text.replaceAll(LISTEN, `$1listen 127.0.0.1:${port};`);
}
