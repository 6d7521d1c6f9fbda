import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DOCKER_FOLDER } from '../src/repository.js';

/** The members of a compose service that tests read. */
export interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly target: string; readonly args: { readonly APP: string } };
  readonly user?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly deploy?: { readonly replicas: number };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks?: unknown;
  readonly extra_hosts?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly pids_limit?: number;
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, unknown>>;
}

/** `${NAME:-default}`, or `${NAME:+replacement}`, whose text contains no variable. */
const VARIABLE = /\$\{(\w+):([-+])([^${}]*)\}/g;

/** The text of a compose file of docker/. */
export function composeText(name = 'compose.yaml'): string {
  return readFileSync(join(DOCKER_FOLDER, name), 'utf8');
}

/** A compose file of docker/ with its variables replaced by the given values, otherwise by their defaults. */
export function readCompose(variables: Readonly<Record<string, string>> = {}, name?: string): ComposeFile {
  const fill = (text: string): string => {
    const filled = text.replaceAll(VARIABLE, (_, name: string, form: string, other: string) =>
      form === '-' ? variables[name] || other : variables[name] ? other : '',
    );
    return filled === text ? text : fill(filled);
  };
  return parse(composeText(name), (_key, value) => (typeof value === 'string' ? fill(value) : value), {
    merge: true,
  });
}

/** The environment of a service. */
export function environmentOf({ environment = {} }: ComposeService): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
}

/** A mounted volume, or a path relative to the folder of the compose file. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly isReadOnly: boolean;
}

/** The mounts of a service. */
export function mountsOf({ volumes = [] }: ComposeService): readonly Mount[] {
  return volumes.map((text) => {
    const [source = '', target = '', mode] = text.split(':');
    return { source, target, isReadOnly: mode === 'ro' };
  });
}
