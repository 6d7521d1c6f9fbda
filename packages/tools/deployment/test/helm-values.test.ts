import { describe, expect, it } from 'vitest';
import { defaultValues, hasHelm, mergeValues, render, type Values, valueAtPath } from './helm-chart.js';
import { EVERYTHING, leafPaths, objectsByName, type Parsed } from './helm-objects.js';
import { wrongsOf } from './manifests.js';

const values = defaultValues();
const SERVICES = Object.keys(values.services);
const isInstalled = await hasHelm();
const before: Readonly<Record<string, Parsed>> = isInstalled ? objectsByName(await render(EVERYTHING)) : {};

/** Another value for each one, which must change what the chart gives. */
const CHANGES: Readonly<Record<string, unknown>> = {
  baseUrl: 'https://other.example.com',
  'images.repository': 'registry.example.org/vestibule',
  'images.tag': 'v1',
  'images.pullPolicy': 'Always',
  'images.pullSecrets': ['pull'],
  'secrets.services': 'other',
  'secrets.migration': 'other',
  'secrets.forwardAuth': 'other',
  'secrets.upstreamLogin': 'other',
  'settings.TRUSTED_PROXIES': '10.1.0.0/16',
  'settings.SHUTDOWN_DRAIN_MS': '9000',
  'settings.LOG_LEVEL': 'debug',
  'upstreamLogin.issuer': 'https://other.example.org',
  'upstreamLogin.clientId': 'other',
  'services.introspection.autoscaling.enabled': false,
  'services.introspection.autoscaling.minReplicas': 3,
  'services.introspection.autoscaling.maxReplicas': 30,
  'services.introspection.autoscaling.averageCpu': '500m',
  'services.forward-auth.routesConfigMap': 'other',
  'services.console.url': 'https://other.example.com',
  'migration.enabled': false,
  'migration.digest': `sha256:${'b'.repeat(64)}`,
  'migration.resources.requests.cpu': '200m',
  'migration.resources.requests.memory': '200Mi',
  'migration.resources.limits.memory': '1Gi',
  'apply.enabled': false,
  'apply.owner': 'other',
  'apply.configMap': 'other',
  'apply.files': { 'other.yaml': 'client_id: other\n' },
  'apply.prune': true,
  'apply.plan': true,
  'apply.secrets.command': 'cat',
  'apply.secrets.volumeClaim': 'other',
  'apply.digest': `sha256:${'d'.repeat(64)}`,
  'apply.resources.requests.cpu': '200m',
  'apply.resources.requests.memory': '200Mi',
  'apply.resources.limits.memory': '1Gi',
  'ingress.enabled': false,
  'ingress.className': 'traefik',
  'ingress.tlsSecret': '',
  'ingress.serverSnippet': false,
  'ingress.annotations': { 'example.com/any': 'text' },
  'ingress.provider.service': 'other',
  'ingress.provider.port': 8080,
  'disruptionBudgets.enabled': false,
  'disruptionBudgets.maxUnavailable': '25%',
  'networkPolicies.enabled': false,
  'networkPolicies.gatewayNamespace': 'gateway',
  'networkPolicies.monitoringNamespace': 'observability',
  'networkPolicies.forwardAuthNamespaces': ['gateway'],
  'networkPolicies.consoleNamespaces': ['gateway'],
  'networkPolicies.postgres.addresses': ['10.1.0.0/16'],
  'networkPolicies.postgres.port': 6432,
  'networkPolicies.redis.addresses': ['10.1.0.0/16', 'fd00::/64'],
  'networkPolicies.redis.port': 6380,
  nodeSelector: { 'example.com/pool': 'identity' },
  tolerations: [{ key: 'identity', operator: 'Exists', effect: 'NoSchedule' }],
};

/** Another value for each one that every service has, changed in all of them at once. */
const CHANGES_OF_SERVICES: Readonly<Record<string, unknown>> = {
  enabled: false,
  replicas: 5,
  digest: `sha256:${'c'.repeat(64)}`,
  'resources.requests.cpu': '2',
  'resources.requests.memory': '300Mi',
  'resources.limits.memory': '1Gi',
  settings: { OTEL_SERVICE_NAME: 'other' },
  secretFiles: ['further'],
};

/** The objects that other values change, each valid by the published schema of its kind. */
async function changedBy(others: Values): Promise<readonly string[]> {
  const after = objectsByName(await render(mergeValues(EVERYTHING, others)));
  for (const object of Object.values(after))
    expect([object.kind, wrongsOf(object)]).toEqual([object.kind, undefined]);
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

it('has a change for each value of the chart', () => {
  const members = Object.keys(CHANGES_OF_SERVICES);
  const ofServices = SERVICES.flatMap((name) => members.map((member) => `services.${name}.${member}`));
  expect(leafPaths(values).toSorted()).toEqual([...Object.keys(CHANGES), ...ofServices].sort());
});

describe.skipIf(!isInstalled)('helm, with another value,', () => {
  it.each(Object.entries(CHANGES))('gives other objects: %s', async (path, value) => {
    expect(await changedBy(valueAtPath(path, value))).not.toEqual([]);
  });

  it.each(Object.entries(CHANGES_OF_SERVICES))(
    'gives another Deployment of each service: %s',
    async (member, value) => {
      const all = SERVICES.map((name) => valueAtPath(`services.${name}.${member}`, value));
      const changed = await changedBy(all.reduce(mergeValues, {}));
      // The number of pods of introspection follows its load.
      const fixed = SERVICES.filter((name) => member !== 'replicas' || name !== 'introspection');
      expect(changed.filter((key) => key.startsWith('Deployment/')).toSorted()).toEqual(
        fixed.map((name) => `Deployment/${name}`).sort(),
      );
    },
  );
});
