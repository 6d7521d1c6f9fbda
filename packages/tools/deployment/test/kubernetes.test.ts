import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOCKER_FOLDER } from '../src/repository.js';
import { environmentOf, readCompose } from './compose-file.js';
import { COMPONENTS, policiesOf, readManifests, type Selector, selects, wrongsOf } from './manifests.js';
import { defaultPort, STORE_SERVICES, unknownSettings } from './settings.js';

const FOLDER = join(DOCKER_FOLDER, 'kubernetes');
const { kustomization, documents } = readManifests(FOLDER);
const all = (kind: string) => documents.filter((each: { kind: string }) => each.kind === kind);
const one = (kind: string, name: string) =>
  all(kind).find((each: { metadata: { name: string } }) => each.metadata.name === name);
const ours = STORE_SERVICES;
const podOf = (name: string) => one('Deployment', name).spec.template;
const containerOf = (name: string) => podOf(name).spec.containers[0];

/** The API document of a service, which one location of the gateway serves together with its page. */
const API_DOCUMENT = /(openapi\/\w+)\.json$/;

/** Files of kustomize and of the Helm chart, beside the manifests. */
const OTHER_FILES = ['kustomization.yaml', 'Chart.yaml', 'values.yaml'];

/** The longest shutdown of a service. */
const ENDS_WITHIN_SECONDS = 10;

interface Policy {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly podSelector: Selector; readonly egress?: readonly object[] };
}

function millicores(quantity: string): number {
  return quantity.endsWith('m') ? parseInt(quantity, 10) : Number(quantity) * 1000;
}

describe('the manifests', () => {
  it('are all listed, and each is valid by the published schema of its kind', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml') && !OTHER_FILES.includes(name));
    expect(kustomization.resources.toSorted()).toEqual(files.sort());
    for (const document of documents)
      expect([document.kind, document.metadata.name, wrongsOf(document)]).toEqual([
        document.kind,
        document.metadata.name,
        undefined,
      ]);
    const broken = structuredClone(one('Deployment', 'logout'));
    broken.spec.template.spec.containers[0].readinessProbe.periodSeconds = 'soon';
    expect(wrongsOf(broken)).toBeDefined();
  });

  it.each(COMPONENTS)('of the component %s are all listed, and each is valid by its schema', (name) => {
    const folder = join(FOLDER, name);
    const component = readManifests(folder);
    expect(component.kustomization).toMatchObject({
      kind: 'Component',
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    });
    const files = readdirSync(folder).filter((file) => file !== 'kustomization.yaml');
    expect(component.kustomization.resources.toSorted()).toEqual(files.sort());
    for (const document of component.documents)
      expect([document.kind, document.metadata.name, wrongsOf(document)]).toEqual([
        document.kind,
        document.metadata.name,
        undefined,
      ]);
  });

  it('give each service its ports, and only known settings', () => {
    const shared = Object.keys(one('ConfigMap', 'vestibule').data);
    for (const name of ours) {
      const { ports, env, envFrom } = containerOf(name);
      const port = Number(defaultPort(name));
      expect(ports).toEqual([
        { name: 'http', containerPort: port },
        { name: 'management', containerPort: port + 1000 },
      ]);
      const names = env.map((each: { name: string }) => each.name);
      expect([name, unknownSettings(name, [...names, ...shared])]).toEqual([name, []]);
      expect(env.find((each: { name: string }) => each.name === 'PORT').value).toBe(String(port));
      expect(envFrom).toEqual([{ configMapRef: { name: 'vestibule' } }]);
    }
  });

  it('mount the secrets of the compose file for each service, as files, and contain none', () => {
    const compose = readCompose();
    for (const name of ours) {
      const pod = podOf(name).spec;
      const mounted = containerOf(name)
        .env.filter((each: { name: string }) => each.name.endsWith('_FILE'))
        .map((each: { name: string; value: string }) => [each.name, each.value]);
      const service = compose.services[name];
      const files = Object.entries(service === undefined ? {} : environmentOf(service));
      // Without a value it is a file that only some installations have.
      const named = files.filter(([key, value]) => key.endsWith('_FILE') && value !== '');
      expect(mounted.toSorted()).toEqual(named.sort());
      const [{ secret }] = pod.volumes;
      expect(secret.secretName).toBe('vestibule');
      const paths = secret.items.map((item: { path: string }) => `/run/secrets/${item.path}`);
      expect(paths.toSorted()).toEqual(mounted.map(([, path]: [string, string]) => path).sort());
    }
    expect(all('Secret')).toEqual([]);
    expect(JSON.stringify(documents)).not.toMatch(/postgres(?:ql)?:\/\/|rediss?:\/\//);
  });

  it('let end-users log in at another provider, whose client secret is optional', () => {
    const { containers, volumes } = podOf('authorization').spec;
    const { secret } = volumes.find(({ name }: { name: string }) => name === 'upstream');
    expect(secret).toMatchObject({ secretName: 'upstream-login', optional: true });
    const mount = containers[0].volumeMounts.find(({ name }: { name: string }) => name === 'upstream');
    const text = readFileSync(join(FOLDER, 'settings.yaml'), 'utf8');
    const lines = [...text.matchAll(/^ {2}# (UPSTREAM_\w+): (\S+)$/gm)];
    const settings = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
    expect(unknownSettings('authorization', Object.keys(settings))).toEqual([]);
    expect(settings).toEqual({
      UPSTREAM_ISSUER: 'https://login.example.org',
      UPSTREAM_CLIENT_ID: 'vestibule',
      UPSTREAM_CLIENT_SECRET_FILE: `${mount.mountPath}/${secret.items[0].path}`,
    });
  });

  it('check the health of each process at its management port, with liveness independent of its stores', () => {
    for (const name of ours) {
      const { startupProbe, livenessProbe, readinessProbe } = containerOf(name);
      for (const probe of [startupProbe, livenessProbe])
        expect(probe.httpGet).toEqual({ path: '/health/live', port: 'management' });
      expect(readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'management' });
    }
  });

  it('open the management port of a service to monitoring only', () => {
    for (const name of ours)
      expect(one('Service', name).spec).toEqual({
        selector: { 'app.kubernetes.io/name': name },
        ports: [{ name: 'http', port: defaultPort(name), targetPort: 'http' }],
      });
    const opened = all('NetworkPolicy').flatMap((each: { spec: { ingress?: { ports: object[] }[] } }) =>
      (each.spec.ingress ?? []).flatMap(({ ports }) => ports),
    );
    expect(opened).toEqual([{ port: 'http' }, { port: 'management' }]);
  });

  it('deny every other connection of the pods, also of components, and leave other pods of the namespace alone', () => {
    expect(one('NetworkPolicy', 'nothing').spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'vestibule' } },
      policyTypes: ['Ingress', 'Egress'],
    });
    const everything = [
      ...documents,
      ...COMPONENTS.flatMap((name) => readManifests(join(FOLDER, name)).documents),
    ];
    const pods = everything.flatMap(({ spec }) => spec?.template?.metadata ?? []);
    expect(pods).toHaveLength(ours.length + COMPONENTS.length + 1);
    const name = 'app.kubernetes.io/name';
    for (const { labels } of pods) {
      for (const direction of ['Ingress', 'Egress'] as const)
        expect([labels[name], policiesOf(everything, labels, direction)]).toEqual([
          labels[name],
          expect.arrayContaining(['nothing']),
        ]);
      expect(policiesOf(everything, labels, 'Egress')).toContain('to-names');
    }
    // A database of its own operator, and pods of another product that have the names of those of Vestibule.
    const foreign = [
      { [name]: 'postgresql', 'cnpg.io/cluster': 'vestibule-postgres' },
      ...pods.map(({ labels }) => ({ ...labels, 'app.kubernetes.io/part-of': 'other' })),
    ];
    for (const labels of foreign)
      for (const direction of ['Ingress', 'Egress'] as const)
        expect([labels, policiesOf(everything, labels, direction)]).toEqual([labels, []]);
  });

  it('allow each pod to reach the addresses in its settings, the internet where it fetches from it, and nothing else', () => {
    const reached = (name: string) => {
      const { labels } = (one('Deployment', name) ?? one('Job', name)).spec.template.metadata;
      return all('NetworkPolicy')
        .filter(({ spec }: Policy) => spec.egress !== undefined && selects(spec.podSelector, labels))
        .map(({ metadata }: Policy) => metadata.name);
    };
    for (const name of ours) {
      const files = containerOf(name).env.map((each: { name: string }) => each.name);
      expect([name, reached(name)]).toEqual([
        name,
        [
          'to-names',
          'to-postgres',
          ...(files.includes('REDIS_URL_FILE') ? ['to-redis'] : []),
          ...(name === 'federation' ? ['to-gateway'] : []),
          'to-traces',
          'to-the-world',
        ],
      ]);
    }
    expect(reached('migrate')).toEqual(['to-names', 'to-postgres']);
    const portsOf = (name: string) =>
      one('NetworkPolicy', name).spec.egress.flatMap(({ ports }: { ports: { port: number }[] }) =>
        ports.map(({ port }) => port),
      );
    expect(
      ['to-names', 'to-postgres', 'to-redis', 'to-gateway', 'to-traces', 'to-the-world'].map(portsOf),
    ).toEqual([[53, 53], [5432], [6379], [443], [4318], [443]]);
  });

  it('evict one pod of a service at a time, and spread them over nodes and zones', () => {
    for (const name of ours) {
      const { strategy, template } = one('Deployment', name).spec;
      expect(strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
      expect(one('PodDisruptionBudget', name).spec).toMatchObject({
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      });
      const spread = template.spec.topologySpreadConstraints;
      expect(spread.map(({ topologyKey }: { topologyKey: string }) => topologyKey)).toEqual([
        'topology.kubernetes.io/zone',
        'kubernetes.io/hostname',
      ]);
      for (const { labelSelector } of spread)
        expect(labelSelector).toEqual({ matchLabels: { 'app.kubernetes.io/name': name } });
    }
  });

  it('give a pod time for its shutdown after the gateway has removed it', () => {
    const drainMs = Number(one('ConfigMap', 'vestibule').data.SHUTDOWN_DRAIN_MS);
    expect(drainMs).toBeGreaterThanOrEqual(5_000);
    for (const name of ours)
      expect(podOf(name).spec.terminationGracePeriodSeconds).toBeGreaterThan(ENDS_WITHIN_SECONDS);
  });

  it('request the CPU and memory that each container uses, and scale below the CPU request', () => {
    const containers = [...ours.map(containerOf), ...one('Job', 'migrate').spec.template.spec.containers];
    for (const { resources } of containers) {
      expect(Object.keys(resources.requests)).toEqual(['cpu', 'memory']);
      expect(parseInt(resources.limits.memory, 10)).toBeGreaterThan(parseInt(resources.requests.memory, 10));
    }
    const [{ resource }] = one('HorizontalPodAutoscaler', 'introspection').spec.metrics;
    const { cpu } = containerOf('introspection').resources.requests;
    expect(millicores(resource.target.averageValue)).toBeLessThan(millicores(cpu));
  });

  it('select what they name, and no policy selects a pod that does not exist', () => {
    const labelled = new Set([...ours, 'migrate']);
    for (const name of ours) {
      const { spec } = one('Deployment', name);
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(one('PodDisruptionBudget', name).spec.selector).toEqual(spec.selector);
      expect(spec.replicas ?? one('HorizontalPodAutoscaler', name).spec.minReplicas).toBeGreaterThan(1);
    }
    const named = all('NetworkPolicy').flatMap(
      (each: { spec: { podSelector: { matchExpressions?: { values: string[] }[] } } }) =>
        (each.spec.podSelector.matchExpressions ?? []).flatMap(({ values }) => values),
    );
    for (const name of named) expect(labelled).toContain(name);
    expect(one('HorizontalPodAutoscaler', 'introspection').spec.scaleTargetRef).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'introspection',
    });
  });

  it('migrate as the compose file does', () => {
    const [{ image, command, args }] = one('Job', 'migrate').spec.template.spec.containers;
    const { migrate } = readCompose().services;
    // Both leave the entry point to the image.
    expect([command, migrate?.entrypoint]).toEqual([undefined, undefined]);
    expect([image, args]).toEqual([migrate?.image, migrate?.command]);
    const [{ secret }] = one('Job', 'migrate').spec.template.spec.volumes;
    expect(secret.items).toEqual([{ key: 'owner-database-url', path: 'database-url' }]);
  });

  it('apply the restricted pod security standard to every container', () => {
    for (const { spec } of [...ours.map(podOf), one('Job', 'migrate').spec.template]) {
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(spec.automountServiceAccountToken).toBe(false);
      for (const { securityContext } of spec.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
    expect(one('Namespace', 'vestibule').metadata.labels).toEqual({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  it('are found by Prometheus, each service under its name', () => {
    const [{ kubernetes_sd_configs: found, relabel_configs: rules }] = parse(
      readFileSync(join(DOCKER_FOLDER, 'prometheus', 'kubernetes.yml'), 'utf8'),
    ).scrape_configs;
    expect(found).toEqual([{ role: 'pod', namespaces: { names: [kustomization.namespace] } }]);
    const [partOf, port, service] = rules.map(
      ({ source_labels: [label] }: { source_labels: string[] }) => label,
    );
    expect(rules[0]).toMatchObject({ regex: 'vestibule', action: 'keep' });
    expect(rules[1]).toMatchObject({ regex: 'management', action: 'keep' });
    expect(rules[2]).toMatchObject({ target_label: 'job' });
    for (const name of ours) {
      const { labels } = podOf(name).metadata;
      const known = Object.fromEntries(
        Object.entries(labels).map(([label, value]) => [label.replaceAll(/[^a-z]/g, '_'), value]),
      );
      expect(known[partOf.replace('__meta_kubernetes_pod_label_', '')]).toBe('vestibule');
      expect(known[service.replace('__meta_kubernetes_pod_label_', '')]).toBe(name);
      expect(port).toBe('__meta_kubernetes_pod_container_port_name');
    }
  });

  it('route each path to the same service as the gateway of the compose file', () => {
    const conf = readFileSync(join(DOCKER_FOLDER, 'gateway', 'nginx.conf'), 'utf8');
    const paths = ['vestibule', 'vestibule-changes'].flatMap(
      (name) => one('Ingress', name).spec.rules[0].http.paths,
    );
    const notRouted = paths.filter(({ backend }) => backend.service.name === 'not-routed');
    expect(notRouted.map(({ path }) => path).toSorted()).toEqual(['/direct-authz', '/logout/deliveries']);
    expect(one('Service', 'not-routed').spec.selector).toBeUndefined();
    for (const { path } of notRouted)
      expect(conf).toContain(`location ${path} {\n      return 404 $nothing;`);
    const http = { paths: paths.filter((each) => !notRouted.includes(each)) };
    const provider = readFileSync(join(DOCKER_FOLDER, 'gateway', 'provider.conf'), 'utf8');
    for (const { path, backend } of http.paths) {
      const [, upstream] =
        new RegExp(`location (?:= )?${path.replace(API_DOCUMENT, '$1')}/? \\{[^}]*http://(\\w+);`).exec(
          conf,
        ) ?? [];
      const name = upstream === 'provider' ? /server (\w+):/.exec(provider)?.[1] : upstream;
      expect([path, backend.service]).toEqual([path, { name, port: { name: 'http' } }]);
    }
    const sent = http.paths.map(({ path }: { path: string }) => path);
    const locations = [...conf.matchAll(/location (?:= )?(\/\S*) \{\s+(?:#.*\s+)?proxy/g)].map(
      ([, path = '']) => path.replace(/(.)\/$/, '$1'),
    );
    expect(new Set(locations)).toEqual(new Set(sent.filter((path: string) => !API_DOCUMENT.test(path))));
  });

  it('refuse paths with dot segments by the rule of the gateway of the compose file, at every Ingress of the host', () => {
    const conf = readFileSync(join(DOCKER_FOLDER, 'gateway', 'nginx.conf'), 'utf8');
    const [rule = ''] = /^ *if \(\$request_uri [\s\S]*?\n *\}\n/m.exec(conf) ?? [];
    expect(rule).toContain('return 400;');
    for (const { metadata } of all('Ingress'))
      expect(metadata.annotations['nginx.ingress.kubernetes.io/server-snippet']).toBe(
        rule.replaceAll(/^ {4}/gm, ''),
      );
  });

  it('repeat no change at another pod after a closed connection', () => {
    const { metadata, spec } = one('Ingress', 'vestibule-changes');
    expect(metadata.annotations).toMatchObject({
      ...one('Ingress', 'vestibule').metadata.annotations,
      'nginx.ingress.kubernetes.io/proxy-next-upstream': 'off',
    });
    expect(spec.rules[0].http.paths.map(({ path }: { path: string }) => path)).toEqual(['/clients']);
  });
});
