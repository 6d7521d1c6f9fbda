import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, readCompose } from './compose-file.js';
import {
  findManifest,
  MANIFESTS_FOLDER,
  policiesOf,
  readManifests,
  type Selector,
  selects,
} from './manifests.js';
import { defaultPort, unknownSettings } from './settings.js';

const FOLDER = join(MANIFESTS_FOLDER, 'forward-auth');
const { documents } = readManifests(FOLDER);
const base = readManifests(MANIFESTS_FOLDER);
const find = (kind: string, name: string, among = documents) => findManifest(among, kind, name);
const NAME = 'forward-auth';
const template = find('Deployment', NAME).spec.template;
const [container] = template.spec.containers;

describe('the component of forward authentication', () => {
  it('gives the service its ports, and only known settings', () => {
    const { ports, env, envFrom } = container;
    const port = Number(defaultPort(NAME));
    expect(ports).toEqual([
      { name: 'http', containerPort: port },
      { name: 'grpc', containerPort: port + 2000 },
      { name: 'management', containerPort: port + 1000 },
    ]);
    expect(envFrom).toEqual([{ configMapRef: { name: 'vestibule' } }]);
    const names = env.map((each: { name: string }) => each.name);
    const shared = Object.keys(find('ConfigMap', 'vestibule', base.documents).data);
    expect(unknownSettings(NAME, [...names, ...shared])).toEqual([]);
  });

  it('has the settings of the compose file', () => {
    const settings = Object.fromEntries(
      container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    const { [NAME]: service = {} } = readCompose().services;
    const { BASE_URL, LOG_LEVEL, OTEL_EXPORTER_OTLP_ENDPOINT, ...own } = environmentOf(service);
    expect(settings).toEqual(own);
    const [{ secret }, { configMap }] = template.spec.volumes;
    expect(secret).toMatchObject({
      secretName: 'forward-auth',
      items: [{ key: 'client-secret', path: 'client-secret' }],
    });
    expect(configMap).toEqual({ name: 'forward-auth-routes' });
    const mounted = container.volumeMounts.map(({ name, mountPath }: { name: string; mountPath: string }) => [
      name,
      mountPath,
    ]);
    expect(mounted.slice(0, 2)).toEqual([
      ['secrets', '/run/secrets'],
      ['routes', '/etc/vestibule'],
    ]);
  });

  it('lets gateways and monitoring reach the service, and the service reach introspection and traces alone', () => {
    const { labels } = template.metadata;
    const policies = [...base.documents, ...documents];
    expect(policiesOf(policies, labels, 'Ingress')).toEqual([
      'nothing',
      'forward-auth-from-gateways',
      'forward-auth-from-monitoring',
    ]);
    expect(policiesOf(policies, labels, 'Egress')).toEqual([
      'nothing',
      'to-names',
      'forward-auth-to-introspection',
      'forward-auth-to-traces',
    ]);
    const introspection = find('Deployment', 'introspection', base.documents).spec.template.metadata.labels;
    expect(policiesOf(policies, introspection, 'Ingress')).toContain('introspection-from-forward-auth');
    const [{ to, ports }] = find('NetworkPolicy', 'forward-auth-to-introspection').spec.egress;
    expect(
      to.every(({ podSelector }: { podSelector: Selector }) => selects(podSelector, introspection)),
    ).toBe(true);
    expect(ports).toEqual([{ port: 'http' }]);
    const [{ from }] = find('NetworkPolicy', 'introspection-from-forward-auth').spec.ingress;
    expect(from.every(({ podSelector }: { podSelector: Selector }) => selects(podSelector, labels))).toBe(
      true,
    );
  });

  it('opens its ports for checks by their names, and not that of management', () => {
    const port = Number(defaultPort(NAME));
    const selector = template.metadata.labels;
    const { spec } = find('Service', NAME);
    expect(spec.ports).toEqual([{ name: 'http', port, targetPort: 'http' }]);
    const { spec: grpc } = find('Service', `${NAME}-grpc`);
    expect(grpc).toMatchObject({
      clusterIP: 'None',
      ports: [{ name: 'grpc', port: port + 2000, targetPort: 'grpc', appProtocol: 'kubernetes.io/h2c' }],
    });
    for (const each of [spec, grpc]) expect(selector).toMatchObject(each.selector);
  });

  it('runs, stops, is spread and is confined like the services of the base', () => {
    const asThis = (document: object) => JSON.parse(JSON.stringify(document).replaceAll('federation', NAME));
    const model = asThis(find('Deployment', 'federation', base.documents)).spec;
    const { spec } = find('Deployment', NAME);
    for (const member of ['replicas', 'selector', 'strategy']) expect(spec[member]).toEqual(model[member]);
    const { containers: _, volumes: __, ...pod } = spec.template.spec;
    const { containers, volumes, ...modelPod } = model.template.spec;
    expect(pod).toEqual(modelPod);
    for (const member of ['startupProbe', 'livenessProbe', 'readinessProbe', 'securityContext', 'resources'])
      expect([member, container[member]]).toEqual([member, containers[0][member]]);
    expect(volumes.at(-1)).toEqual(template.spec.volumes.at(-1));
    expect(find('PodDisruptionBudget', NAME)).toEqual(
      asThis(find('PodDisruptionBudget', 'federation', base.documents)),
    );
  });
});
