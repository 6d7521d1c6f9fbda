import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Location, originalLocations } from './original-locations.js';

const ProfileNode = Type.Object({
  id: Type.Integer(),
  callFrame: Type.Object({
    functionName: Type.String(),
    url: Type.String(),
    lineNumber: Type.Integer(),
    columnNumber: Type.Integer(),
  }),
  children: Type.Optional(Type.Array(Type.Integer())),
});

const CpuProfile = Type.Object({
  nodes: Type.Array(ProfileNode),
  samples: Type.Array(Type.Integer()),
  timeDeltas: Type.Array(Type.Integer()),
});

type ProfileNode = Static<typeof ProfileNode>;

/** The cost of a function or package. */
export interface Cost {
  readonly name: string;
  /** The share of the non-idle time, from 0 to 1, without callees. */
  readonly share: number;
}

/** A profile by function and by package, the greatest cost first. */
export interface ProfileSummary {
  readonly functions: readonly Cost[];
  readonly packages: readonly Cost[];
}

/**
 * Sums up the second half of a V8 CPU profile: during the first half a process starts and compiles hot code. Native
 * time counts for the calling script, and bundled code for its original module.
 * @throws when it is not a profile
 */
export function summarizeProfile(profile: unknown): ProfileSummary {
  const { nodes, samples, timeDeltas } = Value.Parse(CpuProfile, profile);
  const locations = locationsOf(nodes);
  const functions = new Map<string, number>();
  const packages = new Map<string, number>();
  const middle = timeDeltas.reduce((sum, delta) => sum + delta, 0) / 2;
  let elapsed = 0;
  samples.forEach((id, i) => {
    const delta = timeDeltas[i] ?? 0;
    elapsed += delta;
    const location = locations.get(id);
    if (elapsed < middle || location === undefined || location.functionName === '(idle)') return;
    add(functions, location.functionName, delta);
    add(packages, location.packageName, delta);
  });
  return { functions: costs(functions), packages: costs(packages) };
}

interface NamedLocation {
  readonly functionName: string;
  readonly packageName: string;
}

/** The location of each node; that of its caller where it has none. */
function locationsOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, NamedLocation> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const locations = new Map<number, NamedLocation>();
  const original = originalLocations();
  const visit = (node: ProfileNode, caller: NamedLocation) => {
    const { functionName } = node.callFrame;
    const location = locationOf({ functionName, ...original(node.callFrame) }, caller);
    locations.set(node.id, location);
    for (const child of node.children ?? []) {
      const called = byId.get(child);
      if (called !== undefined) visit(called, location);
    }
  };
  const [root] = nodes;
  if (root !== undefined) visit(root, { functionName: '', packageName: '' });
  return locations;
}

interface Frame extends Location {
  readonly functionName: string;
}

function locationOf({ functionName, url, lineNumber }: Frame, caller: NamedLocation): NamedLocation {
  const name = functionName || '(anonymous)';
  // Names in parentheses are not functions: the garbage collector, the program, idle time.
  if (url === '' && (name.startsWith('(') || caller.packageName === ''))
    return { functionName: name, packageName: name.startsWith('(root') ? '' : name };
  if (url === '') return { ...caller, functionName: `${name} for ${caller.functionName}` };
  const packageName = packageOf(url);
  const file = url.startsWith('node:') ? '' : ` ${url.slice(url.lastIndexOf('/') + 1)}`;
  return { functionName: `${name} ${packageName}${file}:${lineNumber + 1}`, packageName };
}

/** The npm package, workspace package or Node module of a script. */
function packageOf(url: string): string {
  if (url.startsWith('node:')) return url;
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return installed ?? /\/((?:apps|packages)\/[^/]+)\//.exec(url)?.[1] ?? 'elsewhere';
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
