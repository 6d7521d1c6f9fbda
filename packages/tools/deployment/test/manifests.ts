import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { DOCKER_FOLDER } from '../src/repository.js';

const require = createRequire(import.meta.url);

/** The folder of the manifests. */
export const MANIFESTS_FOLDER: string = join(DOCKER_FOLDER, 'kubernetes');

/** The folders of components, which an overlay names beside the base. */
export const COMPONENTS: readonly string[] = readdirSync(MANIFESTS_FOLDER).filter((name) =>
  existsSync(join(MANIFESTS_FOLDER, name, 'kustomization.yaml')),
);

/** Reads the manifests of a folder that its kustomization lists. */
export function readManifests(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const kustomization = parse(read('kustomization.yaml'));
  const documents = kustomization.resources.flatMap((name: string) =>
    // Kubernetes reads YAML 1.1, in which 0440 is octal.
    parseAllDocuments(read(name), { uniqueKeys: true, version: '1.1' }).map((document) => {
      expect([name, document.errors]).toEqual([name, []]);
      return document.toJS();
    }),
  );
  return { kustomization, documents };
}

/** Finds a manifest by its kind and name. */
export function findManifest(
  documents: ReturnType<typeof readManifests>['documents'],
  kind: string,
  name: string,
) {
  return documents.find(
    (each: { kind: string; metadata: { name: string } }) => each.kind === kind && each.metadata.name === name,
  );
}

/** Violations of the published schema of its kind. */
export function wrongsOf(document: { apiVersion: string; kind: string }): string | undefined {
  const { apiVersion, kind } = document;
  try {
    const Model = require(`kubernetes-models/${apiVersion}/${kind}`)[kind];
    new Model(structuredClone(document)).validate();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** A selector of pods by their labels. */
export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { key: string; operator: 'In'; values: readonly string[] }[];
}

/** Whether a selector matches these labels. */
export function selects(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly podSelector: Selector; readonly policyTypes: readonly string[] };
}

/** The names of the policies that apply to a pod with these labels. */
export function policiesOf(
  documents: readonly Policy[],
  labels: Readonly<Record<string, string>>,
  direction: 'Ingress' | 'Egress',
): readonly string[] {
  return documents
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .filter(({ spec }) => spec.policyTypes.includes(direction) && selects(spec.podSelector, labels))
    .map(({ metadata }) => metadata.name);
}
