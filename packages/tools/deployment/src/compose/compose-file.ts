import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';
import { DeploymentError } from '../deployment-error.js';
import { DOCKER_FOLDER } from '../repository.js';
import { interpolate, type Variables } from './interpolate.js';

/** A member that may be left out. */
const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
const Words = Type.Array(Type.String());
const Scalar = Type.Union([Type.String(), Type.Number()]);

/** What we write of a service of a compose file; other members are kept and not looked at. */
const Service = Type.Object({
  image: Type.String(),
  build: Maybe(
    Type.Object({
      context: Type.String(),
      dockerfile: Type.String(),
      target: Type.String(),
      args: Type.Object({ APP: Type.String() }),
    }),
  ),
  entrypoint: Maybe(Words),
  command: Maybe(Words),
  environment: Maybe(Type.Record(Type.String(), Scalar)),
  volumes: Maybe(Words),
  ports: Maybe(Words),
  profiles: Maybe(Words),
  deploy: Maybe(Type.Object({ replicas: Type.Integer() })),
  depends_on: Maybe(Type.Record(Type.String(), Type.Object({ condition: Type.String() }))),
  networks: Maybe(
    Type.Union([Words, Type.Record(Type.String(), Type.Object({ ipv4_address: Type.String() }))]),
  ),
  healthcheck: Maybe(Type.Object({ test: Words })),
  read_only: Maybe(Type.Boolean()),
  cap_drop: Maybe(Words),
  security_opt: Maybe(Words),
  pids_limit: Maybe(Type.Integer()),
  mem_limit: Maybe(Type.String()),
  stop_grace_period: Maybe(Type.String()),
});

const Compose = Type.Object({
  services: Type.Record(Type.String(), Service),
  volumes: Type.Record(Type.String(), Type.Unknown()),
  networks: Type.Record(Type.String(), Type.Unknown()),
});

/** A service of the compose file. */
export type ComposeService = Static<typeof Service>;

/** The compose file, its variables filled in. */
export type ComposeFile = Static<typeof Compose>;

/** The text of docker/compose.yaml. */
export function composeText(): string {
  return readFileSync(join(DOCKER_FOLDER, 'compose.yaml'), 'utf8');
}

/**
 * Reads a compose file as an engine would: merged, and with variables in place.
 * @throws DeploymentError when it is not one, or has a form that is not known here
 */
export function readCompose(text: string, variables: Variables = {}): ComposeFile {
  const document = interpolate(parse(text, { merge: true }), variables);
  if (Value.Check(Compose, document)) return document;
  const [first] = Value.Errors(Compose, document);
  throw new DeploymentError(`The compose file cannot be read at ${first?.instancePath}: ${first?.message}.`);
}

/** The settings of a service, as the process in its container sees them. */
export function environmentOf({ environment = {} }: ComposeService): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
}

/** Where something of the machine or of a volume is seen in a container. */
export interface Mount {
  /** The name of a volume, or a path from the folder of the compose file. */
  readonly source: string;
  readonly target: string;
  readonly isReadOnly: boolean;
}

/** What is mounted in a service. */
export function mountsOf({ volumes = [] }: ComposeService): readonly Mount[] {
  return volumes.map((text) => {
    const [source = '', target = '', mode] = text.split(':');
    return { source, target, isReadOnly: mode === 'ro' };
  });
}
