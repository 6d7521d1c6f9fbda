import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@vestibule/local-services';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  CHART_FOLDER,
  defaultValues,
  hasHelm,
  mergeValues,
  OLDEST_KUBERNETES,
  render,
  runTemplate,
  type Values,
  valueAtPath,
} from './helm-chart.js';
import { COMPONENT_VALUES, EVERYTHING, manifestsOfChart, objectsByName } from './helm-objects.js';
import { COMPONENTS, readManifests, wrongsOf } from './manifests.js';

const base = readManifests(CHART_FOLDER).documents;
const values = defaultValues();
const SERVICES = Object.keys(values.services).filter((name) => values.services[name].enabled);

describe.skipIf(!(await hasHelm()))('the chart, rendered by helm', () => {
  it('gives the manifests by default, in the namespace and with the labels of the release', async () => {
    const objects = await render();
    expect(objectsByName(objects)).toEqual(objectsByName(manifestsOfChart(base)));
    for (const { metadata } of objects) {
      expect(metadata.namespace).toBe('vestibule');
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/instance': 'vestibule' });
    }
  });

  it.each(COMPONENTS)('gives the manifests of the component %s too', async (name) => {
    const component = readManifests(join(CHART_FOLDER, name)).documents;
    const objects = await render(COMPONENT_VALUES[name]);
    expect(objectsByName(objects)).toEqual(objectsByName(manifestsOfChart([...base, ...component])));
  });

  it('is valid in all its parts, as is what it gives with every value', async () => {
    const linted = await runCommand('helm', ['lint', '--strict', ...OLDEST_KUBERNETES, CHART_FOLDER]);
    expect([linted.exitCode, linted.output]).toEqual([0, expect.anything()]);
    for (const object of await render(EVERYTHING))
      expect([object.kind, object.metadata.name, wrongsOf(object)]).toEqual([
        object.kind,
        object.metadata.name,
        undefined,
      ]);
  });

  it('gives the same from a package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helm-package-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await runCommand('helm', ['package', CHART_FOLDER, '--destination', folder]);
    const [name = ''] = readdirSync(folder);
    expect(await render(EVERYTHING, join(folder, name))).toEqual(await render(EVERYTHING));
  });

  it.each(SERVICES)('leaves %s out everywhere', async (name) => {
    const objects = objectsByName(await render({ services: { [name]: { enabled: false } } }));
    const expected = objectsByName(manifestsOfChart(base));
    expect(JSON.stringify(objects)).not.toContain(`"${name}"`);
    for (const [key, object] of Object.entries(objects))
      if (!/^(?:NetworkPolicy|Ingress)/.test(key)) expect(object).toEqual(expected[key]);
    const left = Object.keys(expected).filter((key) => objects[key] === undefined);
    const own = ['Deployment', 'Service', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'].map(
      (kind) => `${kind}/${name}`,
    );
    const alsoLeft: Readonly<Record<string, string>> = {
      registration: 'Ingress/vestibule-changes',
      federation: 'NetworkPolicy/to-gateway',
    };
    expect(left.toSorted()).toEqual(
      [...own.filter((key) => key in expected), ...[alsoLeft[name] ?? []].flat()].sort(),
    );
  });

  it('leaves out what has a switch of its own', async () => {
    const kinds = async (others: Values) => new Set((await render(others)).map(({ kind }) => kind));
    expect(await kinds({})).toContain('Ingress');
    expect(await kinds({ ingress: { enabled: false } })).not.toContain('Ingress');
    expect(await kinds({ networkPolicies: { enabled: false } })).not.toContain('NetworkPolicy');
    expect(await kinds({ disruptionBudgets: { enabled: false } })).not.toContain('PodDisruptionBudget');
    expect(await kinds({ migration: { enabled: false } })).not.toContain('Job');
    const fixed = objectsByName(
      await render(
        mergeValues(valueAtPath('services.introspection.autoscaling.enabled', false), {
          services: { introspection: { replicas: 7 } },
        }),
      ),
    );
    expect(fixed['HorizontalPodAutoscaler/introspection']).toBeUndefined();
    expect(fixed['Deployment/introspection'].spec.replicas).toBe(7);
  });

  it('lets end-users log in at another provider', async () => {
    const objects = objectsByName(await render(EVERYTHING));
    expect(objects['ConfigMap/vestibule'].data).toEqual({
      BASE_URL: values.baseUrl,
      ...values.settings,
      UPSTREAM_ISSUER: 'https://login.example.org',
      UPSTREAM_CLIENT_ID: 'vestibule',
      UPSTREAM_CLIENT_SECRET_FILE: '/run/upstream/client-secret',
    });
  });

  it('routes the paths of no service to another provider, by the name or number of its port', async () => {
    const backendOf = async (others: Values) => {
      const { paths } = objectsByName(await render(others))['Ingress/vestibule'].spec.rules[0].http;
      return paths.find(({ path }: { path: string }) => path === '/').backend.service;
    };
    expect(await backendOf(EVERYTHING)).toEqual({ name: 'login', port: { name: 'http' } });
    const byNumber = {
      ingress: { provider: { service: 'login', port: 8080 } },
      services: { authorization: { enabled: false } },
    };
    expect(await backendOf(byNumber)).toEqual({ name: 'login', port: { number: 8080 } });
  });

  it('lets annotations override those of the manifests, also by an empty text', async () => {
    const buffering = 'nginx.ingress.kubernetes.io/proxy-buffering';
    const annotations = { [buffering]: '', 'example.com/any': 'text' };
    const objects = objectsByName(await render({ ingress: { annotations } }));
    for (const name of ['vestibule', 'vestibule-changes'])
      expect(objects[`Ingress/${name}`].metadata.annotations).toMatchObject({
        ...annotations,
        'nginx.ingress.kubernetes.io/proxy-body-size': '1m',
      });
  });

  it('writes texts of values as texts, whatever they contain', async () => {
    const text = 'x\n---\nkind: Secret\n# {{ fail "read as a template" }} "\'';
    const objects = objectsByName(
      await render({ settings: { LOG_LEVEL: text }, ingress: { annotations: { 'example.com/any': text } } }),
    );
    expect(objects['ConfigMap/vestibule'].data.LOG_LEVEL).toBe(text);
    expect(objects['Ingress/vestibule'].metadata.annotations['example.com/any']).toBe(text);
    expect(Object.keys(objects)).toEqual(Object.keys(objectsByName(await render())));
  });

  it('names the images by tag, or by digest', async () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const objects = objectsByName(
      await render({
        images: {
          repository: 'registry.example.org:5000/acme',
          tag: 'v1',
          pullPolicy: 'Always',
          pullSecrets: ['pull'],
        },
        services: { logout: { digest } },
      }),
    );
    const podOf = (key: string) => objects[key].spec.template.spec;
    const imageOf = (key: string) => podOf(key).containers[0].image;
    expect(imageOf('Deployment/registration')).toBe('registry.example.org:5000/acme/registration:v1');
    expect(imageOf('Deployment/logout')).toBe(`registry.example.org:5000/acme/logout@${digest}`);
    expect(imageOf('Job/migrate')).toBe('registry.example.org:5000/acme/cli:v1');
    expect(podOf('Job/migrate').imagePullSecrets).toEqual([{ name: 'pull' }]);
    expect(podOf('Deployment/logout').containers[0].imagePullPolicy).toBe('Always');
  });

  it('gives a service settings and files of its own', async () => {
    const objects = objectsByName(
      await render({
        services: {
          registration: {
            settings: { LOG_LEVEL: 'debug', REDIS_CA_FILE: '/run/secrets/redis-ca' },
            secretFiles: ['redis-ca'],
          },
          'forward-auth': { enabled: true, settings: { HOST: '127.0.0.1' } },
        },
      }),
    );
    const { containers, volumes } = objects['Deployment/registration'].spec.template.spec;
    expect(containers[0].env).toContainEqual({ name: 'LOG_LEVEL', value: 'debug' });
    expect(volumes[0].secret.items.at(-1)).toEqual({ key: 'redis-ca', path: 'redis-ca' });
    const { env } = objects['Deployment/forward-auth'].spec.template.spec.containers[0];
    expect(env.filter(({ name }: { name: string }) => name === 'HOST')).toEqual([
      { name: 'HOST', value: '127.0.0.1' },
    ]);
  });

  it('applies clients as files with the settings of registration, and again if files or settings change', async () => {
    const jobOf = async (others: Values) => {
      const objects = await render(mergeValues(EVERYTHING, others));
      const files = objects.filter(
        ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'clients',
      );
      const [job] = objects.filter(({ metadata }) => /^apply-[0-9a-f]{8}$/.test(metadata.name));
      const { containers, volumes } = job.spec.template.spec;
      return { files, name: job.metadata.name, container: containers[0], volumes };
    };
    const { files, name, container, volumes } = await jobOf({});
    expect(files).toMatchObject([{ data: { 'shop.yaml': 'client_id: shop\n' } }]);
    const word = ['apply', '/clients', '--actor', 'kubernetes'];
    const owner = ['--owner', 'shop'];
    const file = ['--secrets-file', '/secrets/clients.ndjson'];
    expect(container.args).toEqual([...word, '--yes', ...owner, ...file]);
    expect(volumes.at(-1).persistentVolumeClaim).toEqual({ claimName: 'client-secrets' });
    const plan = await jobOf({ apply: { plan: true, prune: true, secrets: { command: 'cat' } } });
    expect(plan.container.args).toEqual([...word, ...owner, '--plan', '--prune', '--secrets-command', 'cat']);
    const settings = { REGISTRABLE_GRANT_TYPES: 'authorization_code', REDIS_CA_FILE: '/run/secrets/ca' };
    const ruled = await jobOf({ services: { registration: { settings, secretFiles: ['ca'] } } });
    expect(ruled.container.env).toEqual(
      expect.arrayContaining(Object.entries(settings).map(([key, value]) => ({ name: key, value }))),
    );
    expect(ruled.volumes[0].secret.items.at(-1)).toEqual({ key: 'ca', path: 'ca' });
    const own = await jobOf({ apply: { files: { 'shop.yaml': 'client_id: shop2\n' } } });
    const shared = await jobOf({ settings: { REGISTRABLE_GRANT_TYPES: 'authorization_code' } });
    const names = [name, plan.name, ruled.name, own.name, shared.name];
    expect(new Set(names).size).toBe(names.length);
    expect((await jobOf({})).name).toBe(name);
  });

  it('gives the console the settings of registration, federation and introspection, which its own override', async () => {
    const objects = objectsByName(
      await render({
        services: {
          registration: {
            settings: { CLIENT_ID_LENGTH: '30', LOG_LEVEL: 'debug', REDIS_CA_FILE: '/run/secrets/redis-ca' },
            secretFiles: ['redis-ca'],
          },
          federation: { settings: { FEDERATION_ENABLED: 'true' } },
          introspection: { settings: { INTROSPECTION_AUDIENCE_RULE: 'report' } },
          authorization: { settings: { KEY_SET_MAX_AGE_SECONDS: '600', CLEAN_UP_INTERVAL_SECONDS: '77' } },
          console: {
            enabled: true,
            url: 'https://operators.example.com',
            settings: { LOG_LEVEL: 'warn', CONSOLE_OPENID_PROVIDER_ADDRESS: '' },
          },
        },
      }),
    );
    const { containers, volumes } = objects['Deployment/console'].spec.template.spec;
    const settings = containers[0].env.map(({ name, value }: { name: string; value: string }) => [
      name,
      value,
    ]);
    expect(Object.fromEntries(settings)).toMatchObject({
      PORT: '8087',
      CONSOLE_URL: 'https://operators.example.com',
      CONSOLE_OPENID_PROVIDER_ADDRESS: '',
      CLIENT_ID_LENGTH: '30',
      FEDERATION_ENABLED: 'true',
      INTROSPECTION_AUDIENCE_RULE: 'report',
      KEY_SET_MAX_AGE_SECONDS: '600',
      LOG_LEVEL: 'warn',
    });
    expect(Object.fromEntries(settings)).not.toHaveProperty('CLEAN_UP_INTERVAL_SECONDS');
    expect(settings).toHaveLength(Object.keys(Object.fromEntries(settings)).length);
    expect(volumes[0].secret.items.at(-1)).toEqual({ key: 'redis-ca', path: 'redis-ca' });
  });

  it('replaces pods whose settings change, and the job whose image changes', async () => {
    const marks = async (others: Values) =>
      (await render(others)).flatMap(({ kind, metadata, spec }) => {
        if (kind === 'Job') return [metadata.name];
        return kind === 'Deployment' ? [spec.template.metadata.annotations['checksum/settings']] : [];
      });
    const [before, settings, image] = await Promise.all([
      marks({}),
      marks({ settings: { LOG_LEVEL: 'debug' } }),
      marks({ images: { tag: 'v2' } }),
    ]);
    expect(await marks({})).toEqual(before);
    const changed = (after: readonly string[]) => after.filter((mark) => !before.includes(mark));
    expect(changed(settings).every((mark) => /^[0-9a-f]{64}$/.test(mark))).toBe(true);
    expect(changed(settings)).toHaveLength(before.length - 1);
    expect(changed(image)).toEqual([expect.stringMatching(/^migrate-[0-9a-f]{8}$/)]);
  });

  it('refuses values that its schema refuses', async () => {
    const { exitCode, output } = await runTemplate({ settings: { DATABASE_URL: 'a secret' } });
    expect(exitCode).toBe(1);
    expect(output).toContain('DATABASE_URL');
  });
});
