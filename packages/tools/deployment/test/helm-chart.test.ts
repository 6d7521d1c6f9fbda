import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOCKER_FOLDER } from '../src/repository.js';
import {
  CHART_FOLDER,
  chartText,
  defaultValues,
  isMap,
  mergeValues,
  templatesText,
  type Values,
  valueAtPath,
} from './helm-chart.js';
import { COMPONENTS, readManifests } from './manifests.js';
import { SERVICE_SETTINGS } from './settings.js';

const values = defaultValues();
const schema = JSON.parse(chartText('values.schema.json'));
const check = Compile(schema);
const errorsOf = (others: Values) => check.Errors(mergeValues(values, others))[1];
const templates = templatesText();

const base = readManifests(CHART_FOLDER);
const components = COMPONENTS.map((name) => ({ name, ...readManifests(join(CHART_FOLDER, name)) }));
const manifests = [...base.documents, ...components.flatMap(({ documents }) => documents)];
const one = (kind: string, name: string) =>
  manifests.find(
    (each: { kind: string; metadata: { name: string } }) => each.kind === kind && each.metadata.name === name,
  );

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The paths that a schema names, with the maps on the way. */
function schemaPaths({ $ref, ...own }: Schema, prefix = ''): string[] {
  const { properties = {} }: Schema =
    $ref === undefined ? own : schema.definitions[$ref.split('/').pop() ?? ''];
  return Object.entries(properties).flatMap(([name, member]) => [
    prefix + name,
    ...schemaPaths(member, `${prefix}${name}.`),
  ]);
}

/** The paths of all values, with the maps on the way. */
function valuePaths(map: Values, prefix = ''): string[] {
  return Object.entries(map).flatMap(([name, value]) => [
    prefix + name,
    ...(isMap(value) ? valuePaths(value, `${prefix}${name}.`) : []),
  ]);
}

/** The paths that templates read; `services.*` is any service. */
function usedPaths(): string[] {
  const named = [...templates.matchAll(/(?:\.Values|\$values)\.(\w+(?:\.\w+)*)/g)].map(
    ([, path = '']) => path,
  );
  const ofServices = [...templates.matchAll(/\$service\.(\w+(?:\.\w+)*)/g)].map(
    ([, path]) => `services.*.${path}`,
  );
  return [...named, ...ofServices];
}

const anyService = (path: string) => path.replace(/^services\.[\w-]+\./, 'services.*.');

describe('the chart', () => {
  it('is one for Helm, in the folder of the manifests', () => {
    expect(parse(chartText('Chart.yaml'))).toMatchObject({
      apiVersion: 'v2',
      name: 'vestibule',
      type: 'application',
    });
  });

  it('reads every manifest, and no other file', () => {
    const literal = [...templates.matchAll(/"([\w/-]+\.yaml)"/g)].map(([, name = '']) => name);
    const ofServices = Object.keys(values.services).filter((name) => !COMPONENTS.includes(name));
    const read = new Set([...literal, ...ofServices.map((name) => `${name}.yaml`)]);
    expect([...read].sort()).toEqual(
      [
        ...base.kustomization.resources,
        ...components.flatMap(({ name, kustomization }) =>
          kustomization.resources.map((file: string) => `${name}/${file}`),
        ),
      ].sort(),
    );
    for (const name of read) expect([name, existsSync(join(CHART_FOLDER, name))]).toEqual([name, true]);
  });

  it('reads no value that does not exist, and every value that does', () => {
    const existing = new Set(valuePaths(values).flatMap((path) => [path, anyService(path)]));
    const used = usedPaths();
    expect(used.length).toBeGreaterThan(40);
    expect(used.filter((path) => !existing.has(path))).toEqual([]);
    // Templates pass on some maps as they are. `services` is a map that they only iterate over.
    const whole = used.filter((path) => path !== 'services');
    const isUsed = (path: string) => whole.some((each) => path === each || path.startsWith(`${each}.`));
    const leaves = valuePaths(values).filter((path, index, all) => !all[index + 1]?.startsWith(`${path}.`));
    expect(leaves.filter((path) => !isUsed(path) && !isUsed(anyService(path)))).toEqual([]);
  });

  it('contains no secret: Secrets are named, and no other kind of object has their place', () => {
    expect(templates).not.toMatch(/kind: *"?Secret/);
    expect(chartText('values.yaml')).not.toMatch(/postgres(?:ql)?:\/\/|rediss?:\/\//);
  });
});

describe('values.yaml', () => {
  it('has the values of the manifests', () => {
    const { services, networkPolicies, ingress, secrets } = values;
    for (const [name, service] of Object.entries<Values>(services)) {
      const { spec } = one('Deployment', name);
      const replicas = service['autoscaling'] === undefined ? service['replicas'] : undefined;
      expect([name, spec.replicas]).toEqual([name, replicas]);
      expect(service['resources']).toEqual(spec.template.spec.containers[0].resources);
    }
    expect(one('ConfigMap', 'vestibule').data).toEqual({ BASE_URL: values.baseUrl, ...values.settings });
    const { autoscaling } = services.introspection;
    const scaler = one('HorizontalPodAutoscaler', 'introspection').spec;
    expect([autoscaling.minReplicas, autoscaling.maxReplicas]).toEqual([
      scaler.minReplicas,
      scaler.maxReplicas,
    ]);
    expect(autoscaling.averageCpu).toBe(scaler.metrics[0].resource.target.averageValue);
    const job = one('Job', 'migrate').spec.template.spec;
    expect(values.migration.resources).toEqual(job.containers[0].resources);
    const secretsOf = ({ volumes }: { volumes: { secret?: { secretName: string } }[] }) =>
      volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret.secretName]));
    expect(secretsOf(job)).toEqual([secrets.migration]);
    const apply = one('Job', 'apply').spec.template.spec;
    for (const { resources } of [...apply.initContainers, ...apply.containers])
      expect(values.apply.resources).toEqual(resources);
    expect(secretsOf(apply)).toEqual([secrets.services]);
    expect(apply.volumes[1].configMap.name).toBe(values.apply.configMap);
    const podOf = (name: string) => one('Deployment', name).spec.template.spec;
    expect(secretsOf(podOf('authorization'))).toEqual([secrets.services, secrets.upstreamLogin]);
    expect(secretsOf(podOf('console'))).toEqual([secrets.services]);
    expect(podOf('console').containers[0].env).toContainEqual({
      name: 'CONSOLE_URL',
      value: services.console.url,
    });
    expect(secretsOf(podOf('forward-auth'))).toEqual([secrets.forwardAuth]);
    expect(podOf('forward-auth').volumes[1].configMap.name).toBe(services['forward-auth'].routesConfigMap);
    const { ingressClassName, tls, rules } = one('Ingress', 'vestibule').spec;
    expect(ingress.className).toBe(ingressClassName);
    expect(tls).toEqual([{ hosts: [rules[0].host], secretName: ingress.tlsSecret }]);
    expect(new URL(values.baseUrl).host).toBe(rules[0].host);
    expect(values.disruptionBudgets.maxUnavailable).toBe(
      one('PodDisruptionBudget', 'logout').spec.maxUnavailable,
    );
    for (const store of ['postgres', 'redis']) {
      const { addresses, port } = networkPolicies[store];
      expect(one('NetworkPolicy', `to-${store}`).spec.egress).toEqual([
        { to: addresses.map((cidr: string) => ({ ipBlock: { cidr } })), ports: [{ port }] },
      ]);
    }
  });

  it('explains each value in a comment; those of several services at the first one', () => {
    const lines = chartText('values.yaml').split('\n');
    const services = lines.indexOf('services:');
    const explained = new Set(['requests', 'limits']);
    const bare = lines.flatMap((line, index) => {
      const [, indent = '', name = ''] = /^( *)([\w-]+): +\S/.exec(line) ?? [];
      if (name === '' || /^ *#/.test(lines[index - 1] ?? '')) {
        if (index > services && indent.length === 4) explained.add(name);
        return [];
      }
      return index > services && explained.has(name) ? [] : [line];
    });
    expect(bare).toEqual([]);
  });
});

describe('values.schema.json', () => {
  it('accepts the values, and has exactly their names', () => {
    expect(errorsOf({})).toEqual([]);
    const known = schemaPaths(schema);
    const isFree = (path: string) =>
      /(?:^|\.)settings\.\w+$/.test(path) || /\.(?:requests|limits)\.\w+$/.test(path);
    expect(
      valuePaths(values)
        .filter((path) => !isFree(path))
        .sort(),
    ).toEqual(known.filter((path) => path !== 'global').sort());
  });

  it.each<[string, Values]>([
    ['an own provider', { ingress: { provider: { service: 'login', port: 8080 } } }],
    [
      'a login at another provider',
      { upstreamLogin: { issuer: 'https://login.example.org', clientId: 'vestibule' } },
    ],
    ['a secret in a file', { services: { logout: { settings: { TLS_KEY_FILE: '/run/secrets/tls-key' } } } }],
    ['images by tag', { images: { repository: 'registry.example.org:5000/acme/vestibule', tag: 'v1.2.3' } }],
    ['an image by digest', valueAtPath('services.logout.digest', `sha256:${'a'.repeat(64)}`)],
    ['an address with a path', { baseUrl: 'https://example.com/Tenants/id' }],
    ['an address with a port', { baseUrl: 'https://id.example.com:8443' }],
    ['a port by its name', { ingress: { provider: { service: 'login', port: 'https-2' } } }],
    ['a long namespace', { networkPolicies: { gatewayNamespace: 'a'.repeat(63) } }],
    ['no TLS at the Ingress', { ingress: { tlsSecret: '' } }],
    ['fractions of a CPU', valueAtPath('services.logout.resources.requests.cpu', 0.5)],
    ['a share of pods', { disruptionBudgets: { maxUnavailable: '25%' } }],
    ['a console on this machine', valueAtPath('services.console.url', 'http://localhost:8087')],
    [
      'clients as files',
      { apply: { enabled: true, owner: 'shop', files: { 'shop.yaml': 'client_id: shop' } } },
    ],
  ])('accepts %s', (_what, others) => {
    expect(errorsOf(others)).toEqual([]);
  });

  it.each<[string, Values]>([
    ['an unknown value', { replicas: 2 }],
    ['an unknown service', { services: { introspections: { enabled: true } } }],
    ['a misspelt value of a service', { services: { logout: { replica: 2 } } }],
    ['a public URL without TLS', { baseUrl: 'http://id.example.com' }],
    ['a secret in a setting', { settings: { DATABASE_URL: 'a secret' } }],
    [
      'a secret in a setting of a service',
      { services: { logout: { settings: { ENCRYPTION_KEYS: 'a secret' } } } },
    ],
    ['a setting that has its own value', { settings: { BASE_URL: 'https://other.example.com' } }],
    ['a port that the manifests do not have', { services: { logout: { settings: { PORT: '80' } } } }],
    ['a setting that is no text', { settings: { SHUTDOWN_DRAIN_MS: 5000 } }],
    ['no pods', { services: { logout: { replicas: 0 } } }],
    ['a tag as digest', { services: { logout: { digest: 'v1.2.3' } } }],
    ['memory in an unknown unit', valueAtPath('services.logout.resources.limits.memory', '512MB')],
    ['a Secret without name', { secrets: { services: '' } }],
    [
      'a login at another provider without client identifier',
      { upstreamLogin: { issuer: 'https://login.example.org' } },
    ],
    ['an address without prefix', { networkPolicies: { postgres: { addresses: ['10.0.0.1'] } } }],
    ['no addresses', { networkPolicies: { redis: { addresses: [] } } }],
    ['a namespace with a dot', { networkPolicies: { gatewayNamespace: 'ingress.nginx' } }],
    ['a namespace of monitoring with a dot', { networkPolicies: { monitoringNamespace: 'kube.monitoring' } }],
    ['a namespace that is too long', { networkPolicies: { forwardAuthNamespaces: ['a'.repeat(64)] } }],
    ['a namespace of the console with a dot', { networkPolicies: { consoleNamespaces: ['id.operators'] } }],
    ['a service in another namespace', { ingress: { provider: { service: 'login.identity' } } }],
    ['a number as the name of a port', { ingress: { provider: { service: 'login', port: '8080' } } }],
    ['a host in upper case', { baseUrl: 'https://ID.example.com' }],
    ['a public URL without a host', { baseUrl: 'https:///id' }],
    ['a port out of range', { networkPolicies: { redis: { port: 70_000 } } }],
    ['another text than true or false', { ingress: { enabled: 'no' } }],
    ['a console without TLS', valueAtPath('services.console.url', 'http://console.example.com')],
    ['a console below a path', valueAtPath('services.console.url', 'https://example.com/console')],
    ['clients as files without an owner', { apply: { enabled: true } }],
    ['an owner that no set of files can have', { apply: { owner: '-shop' } }],
    ['a blank command', valueAtPath('apply.secrets.command', ' ')],
    ['a file in a folder', { apply: { files: { 'clients/shop.yaml': 'client_id: shop' } } }],
    ['a hidden file', { apply: { files: { '.shop.yaml': 'client_id: shop' } } }],
    ['a file that is no text', { apply: { files: { 'shop.yaml': { client_id: 'shop' } } } }],
  ])('refuses %s', (_what, others) => {
    expect(errorsOf(others)).not.toEqual([]);
  });

  it.each(Object.keys(values.services))('refuses a file of %s outside of its folder', (name) => {
    const filesAt = (files: readonly string[]) =>
      errorsOf(valueAtPath(`services.${name}.secretFiles`, files));
    for (const file of ['.', '..', '..data', 'a/b', ''])
      expect([file, filesAt([file])]).not.toEqual([file, []]);
    for (const file of ['redis-ca', '.hidden', 'tls.key', '_key'])
      expect([file, filesAt([file])]).toEqual([file, []]);
  });

  it('refuses every setting that is a secret', () => {
    const secrets = [...SERVICE_SETTINGS.values()].flatMap(({ schema: { properties } }) =>
      Object.entries(properties).flatMap(([name, each]) =>
        'isSecret' in each && each.isSecret ? [name] : [],
      ),
    );
    expect(secrets).toContain('DATABASE_URL');
    const wrong = secrets.filter((name) => errorsOf({ settings: { [name]: 'a secret' } }).length === 0);
    expect([...new Set(wrong)]).toEqual([]);
    for (const name of secrets)
      expect([name, errorsOf({ settings: { [`${name}_FILE`]: '/run/secrets/file' } })]).toEqual([name, []]);
  });
});

/** The path of a value in a text. */
const PATH = /`((?:[a-z][\w-]*\.)+[\w-]+)`/g;

describe('the page', () => {
  const page = readFileSync(join(DOCKER_FOLDER, 'README.md'), 'utf8');
  const [, section = ''] = /\n### Helm\n([\s\S]*?)\n##/.exec(page) ?? [];
  const blocks = (language: string) =>
    [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
      ([, text = '']) => text,
    );

  it('has values that the chart accepts', () => {
    const examples = [...page.matchAll(/```yaml\n# my-values\.yaml\n([\s\S]*?)```/g)];
    expect(examples.length).toBeGreaterThan(1);
    for (const [, text = ''] of examples) expect(errorsOf(parse(text))).toEqual([]);
  });

  it('names values that exist, and commands for this folder', () => {
    const existing = new Set(valuePaths(values));
    const named = [...section.matchAll(PATH)].map(([, path = '']) => path);
    const ofComponents = [...page.matchAll(PATH)].flatMap(([, path = '']) =>
      /^(?:apply|services|secrets|networkPolicies)\./.test(path) ? [path] : [],
    );
    const ofChart = [...named, ...ofComponents].filter((path) => !/\.(?:yaml|json|md)$/.test(path));
    expect(ofChart.length).toBeGreaterThan(5);
    expect(ofChart.filter((path) => !existing.has(path))).toEqual([]);
    const commands = blocks('sh').join('\n');
    expect(commands).toContain('helm install vestibule docker/kubernetes ');
    expect(commands).toContain('helm upgrade vestibule docker/kubernetes ');
  });

  it('creates the Secrets that the chart names, with the files that its pods mount', () => {
    const commands = page.matchAll(/create secret generic (\S+)((?:[\s\\]+--from-file=[\w-]+)+)/g);
    const created = [...commands].map(
      ([, name = '', files = '']) =>
        [name, [...files.matchAll(/=([\w-]+)/g)].map(([, file = '']) => file)] as const,
    );
    const mounted = manifests
      .flatMap(({ spec }) => spec?.template?.spec.volumes ?? [])
      .flatMap(({ secret }) => secret ?? [])
      .map(({ secretName, items }) => [secretName, items.map(({ key }: { key: string }) => key)] as const);
    const filesOf = (secrets: readonly (readonly [string, readonly string[]])[], name: string) =>
      new Set(secrets.filter(([each]) => each === name).flatMap(([, files]) => files));
    const names = new Set<string>(Object.values(values.secrets));
    expect(new Set(mounted.map(([name]) => name))).toEqual(names);
    for (const name of names) expect([name, filesOf(created, name)]).toEqual([name, filesOf(mounted, name)]);
    expect(page).toContain(`create configmap ${values.services['forward-auth'].routesConfigMap} `);
    expect(page).toContain(`create configmap ${values.apply.configMap} `);
  });
});
