import { expect } from 'vitest';
import type { parse } from 'yaml';
import { isMap, type Values } from './helm-chart.js';

/** A parsed document of any form. */
export type Parsed = ReturnType<typeof parse>;

/** The labels that the chart adds to every object. */
const ADDED_LABELS = ['helm.sh/chart', 'app.kubernetes.io/instance', 'app.kubernetes.io/managed-by'];

/** The annotations that the chart adds to pods. */
const ADDED_ANNOTATIONS = ['checksum/settings', 'checksum/clients'];

/**
 * Objects by kind and name, without what the chart adds to the manifests: namespace, labels, the checksums in pods, and
 * the hashes in the names of jobs.
 */
export function objectsByName(objects: readonly Parsed[]): Readonly<Record<string, Parsed>> {
  const entries = structuredClone(objects).map((object) => {
    const { kind, metadata, spec } = object;
    delete metadata.namespace;
    removeMembers(metadata, 'labels', ADDED_LABELS);
    if (kind === 'Deployment' || kind === 'Job')
      removeMembers(spec.template.metadata, 'annotations', ADDED_ANNOTATIONS);
    if (kind === 'Job') metadata.name = metadata.name.replace(/-[0-9a-f]{8}$/, '');
    return [`${kind}/${metadata.name}`, object];
  });
  expect(new Set(entries.map(([name]) => name)).size).toBe(entries.length);
  return Object.fromEntries(entries);
}

/** Removes members of a map in the metadata, and the map with its last member. */
function removeMembers(metadata: Parsed, map: string, names: readonly string[]): void {
  const left = Object.entries(metadata[map] ?? {}).filter(([name]) => !names.includes(name));
  if (left.length > 0) metadata[map] = Object.fromEntries(left);
  else delete metadata[map];
}

/** The manifests that the chart has. Helm installs into a namespace that exists already. */
export function manifestsOfChart(documents: readonly Parsed[]): readonly Parsed[] {
  return documents.filter(({ kind }) => kind !== 'Namespace');
}

/** Values that switch on everything that is off by default. */
export const EVERYTHING: Values = {
  services: { 'forward-auth': { enabled: true }, console: { enabled: true } },
  upstreamLogin: { issuer: 'https://login.example.org', clientId: 'vestibule' },
  apply: {
    enabled: true,
    owner: 'shop',
    files: { 'shop.yaml': 'client_id: shop\n' },
    secrets: { volumeClaim: 'client-secrets' },
  },
  ingress: { provider: { service: 'login' } },
};

/** The paths of all values; an empty map is a value. */
export function leafPaths(map: Values, prefix = ''): string[] {
  return Object.entries(map).flatMap(([name, value]) =>
    isMap(value) && Object.keys(value).length > 0 ? leafPaths(value, `${prefix}${name}.`) : [prefix + name],
  );
}

/** Values that install a component and nothing else that is off by default. */
export const COMPONENT_VALUES: Readonly<Record<string, Values>> = {
  apply: { apply: { enabled: true, owner: 'vestibule' } },
  console: { services: { console: { enabled: true } } },
  'forward-auth': { services: { 'forward-auth': { enabled: true } } },
};
