import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { migrate } from '@vestibule/database';
import { closers, runCommand, startPostgres } from '@vestibule/local-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOCKER_FOLDER, ROOT } from '../src/repository.js';
import { findManifest, MANIFESTS_FOLDER, policiesOf, readManifests } from './manifests.js';
import { unknownSettings } from './settings.js';

const FOLDER = join(MANIFESTS_FOLDER, 'apply');
const { documents } = readManifests(FOLDER);
const base = readManifests(MANIFESTS_FOLDER).documents;
const find = (kind: string, name: string, among = documents) => findManifest(among, kind, name);
const job = find('Job', 'apply').spec;
const pod = job.template.spec;
const [waiting] = pod.initContainers;
const [container] = pod.containers;
const shared: Readonly<Record<string, string>> = find('ConfigMap', 'vestibule', base).data;

describe('the component that applies clients as files', () => {
  it('has only known settings, and of the secrets those of a command', () => {
    const names = container.env.map(({ name }: { name: string }) => name);
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'vestibule' } }]);
    expect(unknownSettings('registration', [...names, ...Object.keys(shared)])).toEqual([]);
    expect(names).toEqual(['DATABASE_URL_FILE', 'ENCRYPTION_KEYS_FILE']);
    const [{ secret }] = pod.volumes;
    expect(secret).toMatchObject({
      secretName: 'vestibule',
      items: [
        { key: 'database-url', path: 'database-url' },
        { key: 'encryption-keys', path: 'encryption-keys' },
      ],
    });
  });

  it('is confined like the migration', () => {
    const migration = find('Job', 'migrate', base).spec.template.spec;
    const { securityContext, serviceAccountName, automountServiceAccountToken, enableServiceLinks } = pod;
    expect(securityContext).toEqual({
      ...migration.securityContext,
      fsGroupChangePolicy: 'OnRootMismatch',
    });
    expect({ serviceAccountName, automountServiceAccountToken, enableServiceLinks }).toEqual({
      serviceAccountName: migration.serviceAccountName,
      automountServiceAccountToken: migration.automountServiceAccountToken,
      enableServiceLinks: migration.enableServiceLinks,
    });
    for (const { image, resources, securityContext: own } of [waiting, container])
      expect([image, resources, own]).toEqual([
        migration.containers[0].image,
        migration.containers[0].resources,
        migration.containers[0].securityContext,
      ]);
    for (const { readOnly } of container.volumeMounts.slice(0, -1)) expect(readOnly).toBe(true);
  });

  it('reaches PostgreSQL alone, and nothing reaches it', () => {
    const policies = [...base, ...documents];
    const { labels } = job.template.metadata;
    expect(policiesOf(policies, labels, 'Ingress')).toEqual(['nothing']);
    expect(policiesOf(policies, labels, 'Egress')).toEqual(['nothing', 'to-names', 'apply-to-postgres']);
    expect(find('NetworkPolicy', 'apply-to-postgres').spec.egress).toEqual(
      find('NetworkPolicy', 'to-postgres', base).spec.egress,
    );
  });
});

describe('the containers of the component, run on this machine,', () => {
  const toEnd = closers();
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-apply-'));
  const PROGRAM = join(ROOT, 'apps/cli');
  let databaseUrl: string;

  beforeAll(async () => {
    toEnd.add(async () => rmSync(folder, { recursive: true, force: true }));
    const server = await startPostgres({ dataFolder: join(folder, 'postgres'), durable: false });
    toEnd.add(server.stop);
    await server.createDatabase('apply');
    databaseUrl = server.url('apply');
    for (const name of ['run/secrets', 'clients/..1', 'secrets'])
      mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'run/secrets/database-url'), databaseUrl);
    writeFileSync(join(folder, 'run/secrets/encryption-keys'), randomBytes(32).toString('base64'));
    const client = { client_id: 'shop', redirect_uris: ['https://shop.example.org/callback'] };
    writeFileSync(join(folder, 'clients/..1/shop.yaml'), JSON.stringify(client));
    // As Kubernetes mounts a ConfigMap.
    symlinkSync('..1', join(folder, 'clients/..data'));
    symlinkSync('..data/shop.yaml', join(folder, 'clients/shop.yaml'));
  });
  afterAll(() => toEnd.closeAll());

  /** A path of the pod on this machine. */
  const local = (text: string) => text.replace(/^\/(?=run|clients|secrets)/, `${folder}/`);

  /** Runs words with the environment of a container. */
  const run = ({ env }: { env: { name: string; value: string }[] }, words: readonly string[]) => {
    const [file = '', ...args] = words.map(local);
    const own = Object.fromEntries(env.map(({ name, value }) => [name, local(value)]));
    return runCommand(file, args, {
      cwd: PROGRAM,
      env: { PATH: process.env['PATH'], ...shared, ...own },
    });
  };
  const program = (args: readonly string[]) => run(container, ['node', 'dist/vestibule.js', ...args]);

  it('wait until the database is migrated', async () => {
    const [shell, option, script] = waiting.command;
    const [, once = ''] = /^until (.*); do sleep 2; done$/.exec(script) ?? [];
    expect((await run(waiting, [shell, option, once])).exitCode).toBe(1);
    const waited = run(waiting, waiting.command);
    await migrate(databaseUrl);
    expect(await waited).toMatchObject({ exitCode: 0 });
  });

  it('fail for good if another attempt has the same outcome: no place for secrets, and a plan with differences', async () => {
    const { exitCode, output } = await program(container.args);
    expect(output).toContain('--secrets-file');
    const plan = await program([...container.args.filter((word: string) => word !== '--yes'), '--plan']);
    expect(job.podFailurePolicy.rules).toEqual([
      {
        action: 'FailJob',
        onExitCodes: { containerName: 'apply', operator: 'In', values: [exitCode, plan.exitCode] },
      },
    ]);
    expect(pod.restartPolicy).toBe('Never');
  });

  it('apply the files with the options of the page, and hand over the secrets', async () => {
    const page = readFileSync(join(DOCKER_FOLDER, 'README.md'), 'utf8');
    const [, overlay = ''] =
      /```yaml\n(# kustomization\.yaml\n[^`]*kubernetes\/apply[^`]*)```/.exec(page) ?? [];
    const args = [...container.args];
    for (const { op, path, value } of parse(parse(overlay).patches[0].patch)) {
      const place = path.replace('/spec/template/spec/containers/0/args/', '');
      if (place === '-') args.push(value);
      else args[Number(place)] = value;
      expect([op, args.length > Number(place) || place === '-']).toEqual([
        place === '-' ? 'add' : 'replace',
        true,
      ]);
    }
    expect(args).toEqual(expect.arrayContaining(['--prune', 'shop']));
    const file = join(folder, 'secrets/clients.ndjson');
    const first = await program([...args, '--secrets-file', '/secrets/clients.ndjson']);
    expect([first.exitCode, first.output]).toEqual([0, expect.stringMatching(/^created +1$/m)]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ client_id: 'shop' });
    const again = await program([...args, '--secrets-file', '/secrets/clients.ndjson']);
    expect([again.exitCode, again.output]).toEqual([0, expect.stringMatching(/^unchanged +1$/m)]);
  });
});
