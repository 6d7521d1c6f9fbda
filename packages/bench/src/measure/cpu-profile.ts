import { Type } from 'typebox';
import { Value } from 'typebox/value';

const CpuProfile = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id: Type.Integer(),
      callFrame: Type.Object({
        functionName: Type.String(),
        url: Type.String(),
        lineNumber: Type.Integer(),
      }),
    }),
  ),
  samples: Type.Array(Type.Integer()),
  timeDeltas: Type.Array(Type.Integer()),
});

/** Where time went. */
export interface Cost {
  readonly name: string;
  /** Of the time that was not idle, from 0 to 1; of the thing itself, without what it called. */
  readonly share: number;
}

/** A profile by function and by package, the greatest cost first. */
export interface ProfileSummary {
  readonly functions: readonly Cost[];
  readonly packages: readonly Cost[];
}

const IDLE = new Set(['(idle)', '(root)']);

/** Sums a CPU profile of V8 up. @throws when it is none */
export function summariseProfile(profile: unknown): ProfileSummary {
  const { nodes, samples, timeDeltas } = Value.Parse(CpuProfile, profile);
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const packages = new Map<string, number>();
  samples.forEach((id, i) => {
    const frame = frames.get(id);
    if (frame === undefined || IDLE.has(frame.functionName)) return;
    const place = packageOf(frame.url, frame.functionName);
    const name = `${frame.functionName || '(anonymous)'} ${place}${fileOf(frame.url)}:${frame.lineNumber + 1}`;
    add(functions, frame.url === '' ? frame.functionName : name, timeDeltas[i] ?? 0);
    add(packages, place, timeDeltas[i] ?? 0);
  });
  return { functions: costs(functions), packages: costs(packages) };
}

/** The npm package, the workspace's package or Node's module that a script belongs to. */
function packageOf(url: string, functionName: string): string {
  if (url === '') return functionName;
  const [, builtIn] = /^(node:.+)$/.exec(url) ?? [];
  if (builtIn !== undefined) return builtIn;
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return installed ?? /\/((?:apps|packages)\/[^/]+)\//.exec(url)?.[1] ?? 'elsewhere';
}

function fileOf(url: string): string {
  return url.startsWith('node:') ? '' : ` ${url.slice(url.lastIndexOf('/') + 1)}`;
}

function add(sums: Map<string, number>, name: string, micros: number): void {
  sums.set(name, (sums.get(name) ?? 0) + micros);
}

function costs(sums: ReadonlyMap<string, number>): readonly Cost[] {
  const total = [...sums.values()].reduce((sum, micros) => sum + micros, 0);
  return [...sums]
    .map(([name, micros]) => ({ name, share: total === 0 ? 0 : micros / total }))
    .toSorted((a, b) => b.share - a.share);
}
