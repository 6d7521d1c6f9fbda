import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { WorksWithError } from '../works-with-error.js';

const Line = Type.String({ minLength: 1 });

/** `program.json`: how a program is prepared and run, and what its row says. */
export const ManifestSchema = Type.Object(
  {
    title: Type.String({ minLength: 1, description: 'The library, as its authors spell it.' }),
    language: Line,
    registry: Type.String({ minLength: 1, description: 'Where the library is published.' }),
    stack: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Z][A-Z0-9_]*$' }), Type.String(), {
        description:
          'Settings of the standalone stack, beyond its defaults on a loopback address. Without it, the program starts the services itself.',
      }),
    ),
    documents: Type.Optional(
      Type.Boolean({
        description:
          'Whether it publishes client ID metadata documents, at an https host that the stack reaches.',
      }),
    ),
    settings: Type.String({ description: 'What to set, on either side; empty where defaults are enough.' }),
    needs: Type.Array(Type.String({ pattern: '^(?:debian:)?[A-Za-z0-9][A-Za-z0-9.+-]*$' }), {
      description: 'Commands on PATH, or packages of Debian as `debian:<package>`.',
    }),
    shared: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z-]+\\.[a-z]+$' }), {
        description: 'Files of the folder `shared` that are put beside those of the program.',
      }),
    ),
    prepare: Type.Array(Line, { description: 'Commands of a shell, run once for these files.' }),
    run: Type.String({ minLength: 1, description: 'Command of a shell.' }),
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 30, description: 'How long it may run. Default: 3.' }),
    ),
    ci: Type.Boolean({ description: 'Whether it needs nothing but npm, so that it runs with every change.' }),
  },
  { additionalProperties: false },
);

/** The content of `program.json`. */
export type Manifest = Readonly<Static<typeof ManifestSchema>>;

/** Reads a `program.json`. @throws WorksWithError with the problem and its place */
export function readManifest(file: string): Manifest {
  const value = parse(file);
  if (Value.Check(ManifestSchema, value)) return value;
  const [first] = Value.Errors(ManifestSchema, value);
  const wrong = first?.keyword === 'boolean' ? 'is not known' : first?.message;
  throw new WorksWithError(`${file}: ${first?.instancePath || 'the manifest'} ${wrong}.`);
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new WorksWithError(`${file} cannot be read as JSON: ${String(error)}`, { cause: error });
  }
}
