import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientFileSchema } from '@vestibule/metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startInstallation } from '../support/installation.js';
import { PROGRAM } from '../support/vestibule.js';

const EXAMPLE = fileURLToPath(
  new URL('../../../../packages/guides/examples/clients-as-files/', import.meta.url),
);
const GUIDE = new URL('../../../../packages/guides/clients-as-files.md', import.meta.url);

let installation: Awaited<ReturnType<typeof startInstallation>>;
let folder: string;

beforeAll(async () => {
  installation = await startInstallation();
  folder = await mkdtemp(join(tmpdir(), 'vestibule-guide-'));
});
afterAll(async () => {
  await installation.close();
  await rm(folder, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs commands in a copy of the example as a runner does. */
function sh(commands: string, cwd: string): Promise<Ran> {
  const env = {
    PATH: process.env.PATH,
    ...installation.environment,
    VESTIBULE: `${process.execPath} ${PROGRAM}`,
    SECRETS_FOLDER: folder,
  };
  return new Promise((resolve) => {
    const withCommand = `vestibule() { $VESTIBULE "$@"; }\n${commands}`;
    execFile('/bin/sh', ['-e', '-c', withCommand], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

it('the workflow shows the plan of a pull request, and applies the main branch once', async () => {
  const { jobs } = parse(await readFile(join(EXAMPLE, 'workflow.yaml'), 'utf8'));
  const commandsOf = (job: string): string =>
    jobs[job].steps.flatMap(({ run = '' }: { readonly run?: string }) => run).join('\n');
  const checkout = join(folder, 'checkout');
  await cp(EXAMPLE, checkout, { recursive: true });
  const planned = await sh(commandsOf('plan'), checkout);
  expect(planned).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\+ shop \(shop\.yaml\): created/m),
  });
  expect(planned.output).toMatch(/^to create +3$/m);
  const applied = await sh(commandsOf('apply'), checkout);
  expect(applied).toMatchObject({ code: 0, output: expect.stringMatching(/^created +3$/m) });
  const secrets = await readFile(join(folder, 'client-secrets.ndjson'), 'utf8');
  expect(secrets.match(/"client_id":"[^"]+"/g)?.toSorted()).toEqual([
    '"client_id":"orders-api"',
    '"client_id":"shop"',
  ]);
  expect((await sh(commandsOf('apply'), checkout)).output).toMatch(/^unchanged +3$/m);
  expect(await readFile(join(folder, 'client-secrets.ndjson'), 'utf8')).toBe(secrets);
  expect(await installation.events()).toContain('operator:github-actions client.registered client:shop');
  await writeFile(join(checkout, 'clients', 'apis.yaml'), 'client_secret: x\n');
  expect((await sh(commandsOf('plan'), checkout)).code).toBe(1);
});

it('the commands of the guide work', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const [file = ''] = /(?<=^```yaml\n)[\s\S]*?(?=^```$)/m.exec(guide) ?? [];
  const [first = '', second = ''] = blocks;
  expect(blocks).toHaveLength(2);
  const cwd = join(folder, 'guide', 'repository');
  await mkdir(join(cwd, 'clients'), { recursive: true });
  await writeFile(join(cwd, 'clients', 'web.yaml'), file.replace('client_id: shop', 'client_id: web'));
  const owned = (commands: string, owner: string) => commands.replaceAll('--owner shop', `--owner ${owner}`);
  const [plan = '', ...apply] = owned(first, 'guide').trimEnd().split('\n');
  expect(await sh(plan, cwd)).toMatchObject({ code: 5 });
  expect(await sh(apply.join('\n'), cwd)).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'guide', 'new-secrets.ndjson'), 'utf8')).toContain('"client_id":"web"');
  await rm(join(cwd, 'clients'), { recursive: true });
  expect(await sh(owned(second, 'guide'), cwd)).toMatchObject({ code: 0 });
});

it('the schema for editors in the example is that of this version', async () => {
  const schema = await readFile(join(EXAMPLE, 'clients', 'client.schema.json'), 'utf8');
  expect(JSON.parse(schema)).toEqual(JSON.parse(JSON.stringify(clientFileSchema())));
});
