import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOCKER_FOLDER } from '../src/repository.js';
import { environmentOf, readCompose } from './compose-file.js';
import {
  findManifest,
  MANIFESTS_FOLDER,
  policiesOf,
  readManifests,
  type Selector,
  selects,
  wrongsOf,
} from './manifests.js';
import { defaultPort, unknownSettings } from './settings.js';

const NAME = 'console';
const FOLDER = join(MANIFESTS_FOLDER, NAME);
const { documents } = readManifests(FOLDER);
const base = readManifests(MANIFESTS_FOLDER).documents;
const find = (kind: string, name: string, among = documents) => findManifest(among, kind, name);
const { template } = find('Deployment', NAME).spec;
const [container] = template.spec.containers;
const settings = Object.fromEntries(
  container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
);

describe('the component of the console', () => {
  it('gives the console its ports, and only known settings', () => {
    const port = Number(defaultPort(NAME));
    expect(container.ports).toEqual([
      { name: 'http', containerPort: port },
      { name: 'management', containerPort: port + 1000 },
    ]);
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'vestibule' } }]);
    const shared = Object.keys(find('ConfigMap', 'vestibule', base).data);
    expect(unknownSettings(NAME, [...Object.keys(settings), ...shared])).toEqual([]);
    const text = readFileSync(join(FOLDER, 'console.yaml'), 'utf8');
    const suggested = [...text.matchAll(/^ *# - \{ name: (\w+),/gm)].map(([, name = '']) => name);
    expect(suggested).toEqual(['CONSOLE_PROMETHEUS_URL']);
    expect(unknownSettings(NAME, suggested)).toEqual([]);
  });

  it('has the secrets of the compose file, and reaches the same provider', () => {
    const { [NAME]: service = {} } = readCompose().services;
    const composed = environmentOf(service);
    const files = (names: object) => Object.keys(names).filter((name) => name.endsWith('_FILE'));
    for (const name of ['PORT', 'CONSOLE_OPENID_PROVIDER_ADDRESS', ...files(composed)])
      expect([name, settings[name]]).toEqual([name, composed[name]]);
    expect(files(settings).sort()).toEqual(files(composed).sort());
    const [{ secret }] = template.spec.volumes;
    expect(secret).toMatchObject({
      secretName: 'vestibule',
      items: [
        { key: 'database-url', path: 'database-url' },
        { key: 'encryption-keys', path: 'encryption-keys' },
        { key: 'redis-url', path: 'redis-url' },
      ],
    });
  });

  it('lets nothing but an Ingress and monitoring reach the console', () => {
    const { labels } = template.metadata;
    expect(policiesOf([...base, ...documents], labels, 'Ingress')).toEqual([
      'nothing',
      'console-from-ingress',
      'console-from-monitoring',
    ]);
    const [{ ports }] = find('NetworkPolicy', 'console-from-ingress').spec.ingress;
    expect(ports).toEqual([{ port: 'http' }]);
    const paths = base
      .filter(({ kind }: { kind: string }) => kind === 'Ingress')
      .flatMap(({ spec }: { spec: { rules: { http: { paths: object[] } }[] } }) => spec.rules[0]?.http.paths);
    expect(JSON.stringify(paths)).not.toContain(NAME);
    expect(find('Service', NAME).spec).toEqual({
      selector: { 'app.kubernetes.io/name': NAME },
      ports: [{ name: 'http', port: defaultPort(NAME), targetPort: 'http' }],
    });
  });

  it('lets the console reach PostgreSQL, Redis, the authorization service, monitoring and public networks', () => {
    const policies = [...base, ...documents];
    expect(policiesOf(policies, template.metadata.labels, 'Egress')).toEqual([
      'nothing',
      'to-names',
      'console-to-postgres',
      'console-to-redis',
      'console-to-provider',
      'console-to-monitoring',
      'console-to-the-world',
    ]);
    for (const name of ['to-postgres', 'to-redis', 'to-the-world'])
      expect(find('NetworkPolicy', `${NAME}-${name}`).spec.egress).toEqual(
        find('NetworkPolicy', name, base).spec.egress,
      );
    const authorization = find('Deployment', 'authorization', base).spec.template;
    expect(policiesOf(policies, authorization.metadata.labels, 'Ingress')).toContain(
      'authorization-from-console',
    );
    const [direct, throughGateway] = find('NetworkPolicy', 'console-to-provider').spec.egress;
    expect(direct.ports).toEqual([{ port: 'http' }]);
    for (const { podSelector } of direct.to as { podSelector: Selector }[])
      expect(selects(podSelector, authorization.metadata.labels)).toBe(true);
    expect([throughGateway]).toEqual(find('NetworkPolicy', 'to-gateway', base).spec.egress);
    const [{ from }] = find('NetworkPolicy', 'authorization-from-console').spec.ingress;
    for (const { podSelector } of from as { podSelector: Selector }[])
      expect(selects(podSelector, template.metadata.labels)).toBe(true);
  });

  it('runs, stops, is spread and is confined like the services of the base', () => {
    const asThis = (document: object) => JSON.parse(JSON.stringify(document).replaceAll('federation', NAME));
    const model = asThis(find('Deployment', 'federation', base)).spec;
    const { spec } = find('Deployment', NAME);
    for (const member of ['replicas', 'selector', 'strategy']) expect(spec[member]).toEqual(model[member]);
    const { containers: _, volumes: __, ...pod } = spec.template.spec;
    const { containers, volumes, ...modelPod } = model.template.spec;
    expect(pod).toEqual(modelPod);
    const { env: ___, ports: ____, image, ...rest } = container;
    const { env: _____, ports: ______, image: modelImage, ...modelRest } = containers[0];
    expect([image, rest]).toEqual([modelImage, modelRest]);
    expect(template.spec.volumes.at(-1)).toEqual(volumes.at(-1));
    expect(find('PodDisruptionBudget', NAME)).toEqual(
      asThis(find('PodDisruptionBudget', 'federation', base)),
    );
  });

  it('has an example of its Ingress that leads to it', () => {
    const page = readFileSync(join(DOCKER_FOLDER, 'README.md'), 'utf8');
    const [, text = ''] =
      /```yaml\n(apiVersion: networking\.k8s\.io\/v1\nkind: Ingress[\s\S]*?)```/.exec(page) ?? [];
    const ingress = parse(text);
    expect(wrongsOf(ingress)).toBeUndefined();
    const { hostname } = new URL(settings['CONSOLE_URL']);
    const [{ host, http }] = ingress.spec.rules;
    expect([host, ingress.spec.tls[0].hosts]).toEqual([hostname, [hostname]]);
    expect(http.paths[0].backend.service).toEqual({ name: NAME, port: { name: 'http' } });
  });
});
