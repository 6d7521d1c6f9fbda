import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createResourceServer,
  everyCommandWasRun,
  introspect,
  type OperatedStack,
  openStack,
  tokenFor,
} from '../support/operated-stack.js';
import { startStack } from '../support/running-stack.js';
import { vestibule } from '../support/vestibule.js';

let stack: OperatedStack;
let secret: string;

beforeAll(async () => {
  stack = await openStack({ CLIENT_ID_LENGTH: '31' });
  secret = await createResourceServer(stack, 'resource');
});
afterAll(() => stack.stop());

const introspected = (token: string) => introspect(stack, ['resource', secret], token);

const METADATA = { redirect_uris: ['https://app.example.org/cb'] };

it('tokens inspect and revoke: tokens of the stack are found, and inactive there at once after revocation', async () => {
  const identifier = await tokenFor(stack, { client_id: 'resource' });
  const jwt = await tokenFor(stack, { client_id: 'resource', format: 'jwt' });
  const fields = await stack.text(['tokens', 'inspect'], identifier);
  expect(fields).toMatch(/^active +yes\n/);
  const live = await stack.json(['tokens', 'inspect'], jwt);
  expect(live).toMatchObject({ active: true, sub: 'alice', client_id: 'resource', iss: stack.baseUrl });
  for (const token of [identifier, jwt])
    expect(await introspected(token)).toMatchObject({ status: 200, body: { active: true } });
  expect(await stack.text(['tokens', 'revoke'], identifier)).toBe('Revoked.\n');
  expect(await stack.json(['tokens', 'revoke'], jwt)).toEqual({ revoked: true });
  // An identifier-based token is unknown without its record.
  for (const [token, reason] of [
    [identifier, 'unknown'],
    [jwt, 'revoked'],
  ] as const) {
    await expect
      .poll(() => introspected(token), { timeout: 60_000 })
      .toMatchObject({ body: { active: false } });
    const dead = await stack.refused(1, ['tokens', 'inspect', '--json'], token);
    const causes = [{ cause: 'token_revoked', at: expect.any(Number) }];
    expect(JSON.parse(dead.stdout)).toMatchObject({ active: false, reason, causes });
    const shown = await stack.refused(1, ['tokens', 'inspect'], token);
    expect(shown.stdout).toMatch(/^why +The token itself was revoked\. \(\d{4}-/m);
    expect(`${fields}${JSON.stringify(live)}${dead.stdout}`).not.toContain(token);
  }
  await stack.refused(2, ['tokens', 'revoke', '--sub', 'alice', '--sid', 'x']);
});

it('tokens revoke: all tokens of an end-user become inactive at the stack', async () => {
  const [of, others] = [
    await tokenFor(stack, { client_id: 'resource', sub: 'bob' }),
    await tokenFor(stack, { client_id: 'resource', sub: 'carol' }),
  ];
  await stack.typed(['tokens', 'revoke', '--sub', 'bob']);
  await expect.poll(() => introspected(of), { timeout: 60_000 }).toMatchObject({ body: { active: false } });
  expect(await introspected(others)).toMatchObject({ body: { active: true } });
});

it('initial-token create, list, revoke: the token registers clients at the stack, its uses are listed, and it stops working', async () => {
  const register = (token: string, json: object = METADATA) => stack.send('/clients', { token, json });
  const template = await stack.file('template.json', '{"software_id":"partner"}');
  const { access_token: token, ...made } = await stack.json([
    ...['initial-token', 'create', '--scope', 'client-reg:grant:code', '--uses', '3', '--label', 'partners'],
    ...['--template', template, '--actor', 'alice'],
  ]);
  expect(made).toMatchObject({ uses: 3, label: 'partners' });
  const partner = await register(token);
  expect(partner).toMatchObject({ status: 200, body: { software_id: 'partner' } });
  expect(await register(token, { grant_types: ['client_credentials'] })).toMatchObject({ status: 403 });
  const listed = await stack.json(['initial-token', 'list']);
  expect(listed).toEqual([
    expect.objectContaining({
      ...{ id: made.id, scope: 'client-reg:grant:code', uses: 1, uses_left: 2, label: 'partners' },
      metadata: { software_id: 'partner' },
    }),
  ]);
  expect(JSON.stringify(listed)).not.toContain(token);
  const { client_id, client_id_issued_at: used_at } = partner.body;
  expect(await stack.json(['initial-token', 'uses', made.id])).toEqual([{ client_id, used_at }]);
  expect(await stack.text(['initial-token', 'uses', made.id])).toMatch(
    new RegExp(`^CLIENT +USED\\n${client_id}  2\\S+ \\S+Z\\n$`),
  );
  await stack.refused(3, ['initial-token', 'uses', '00000000']);
  const once = await stack.text(['initial-token', 'create', '--scope', 'client-reg', '--format', 'jwt']);
  const [, jwt = ''] = /^access_token +(\S+)$/m.exec(once) ?? [];
  expect(await register(jwt)).toMatchObject({ status: 200 });
  expect(await register(jwt)).toMatchObject({ status: 401 });
  expect(await stack.text(['initial-token', 'list'])).toMatch(
    new RegExp(`^ID .*\n${made.id}  client-reg:grant:code +1 +2 .* partners\n$`),
  );
  expect(await stack.text(['initial-token', 'revoke', made.id])).toBe('Revoked.\n');
  expect(await register(token)).toMatchObject({ status: 401 });
  const other = await stack.typed(['initial-token', 'create', '--scope', 'client-reg']);
  expect(await stack.json(['initial-token', 'revoke', other.id])).toEqual({ revoked: other.id });
  expect(await register(other.access_token)).toMatchObject({ status: 401 });
  await stack.refused(3, ['initial-token', 'revoke', made.id]);
  await stack.refused(2, ['initial-token', 'create', '--scope', 'read client-reg']);
  const beyond = await stack.file('beyond.json', '{"scope":"read"}');
  const refused = await stack.refused(1, [
    ...['initial-token', 'create', '--scope', 'client-reg:grant:code', '--template', beyond],
  ]);
  expect(refused.stderr).toMatch(/The scope does not permit a template with these scope values/);
  await stack.refused(2, ['initial-token', 'list', '--everything']);
  expect(await stack.typed(['initial-token', 'list'])).toEqual([]);
  const events = (await stack.events()).filter((event) => event.endsWith(made.id));
  expect(events).toEqual([
    `operator:alice initial_access_token.issued initial_access_token:${made.id}`,
    `initial_access_token:${made.id} initial_access_token.spent initial_access_token:${made.id}`,
    `operator:cli initial_access_token.revoked initial_access_token:${made.id}`,
  ]);
});

it('config reference: lists settings that the stack uses', async () => {
  const described = await stack.json(['config', 'reference', 'registration']);
  expect(described).toMatchObject([{ service: 'registration' }]);
  expect(described[0].settings).toContainEqual(
    expect.objectContaining({ name: 'CLIENT_ID_LENGTH', default: '22' }),
  );
  const { body } = await stack.send('/clients', { token: stack.masterToken, json: METADATA });
  expect(body.client_id).toHaveLength(31);
  const text = await stack.text(['config', 'reference', 'registration', 'logout']);
  expect(text.match(/^## .*/gm)).toEqual(['## registration', '## logout']);
  expect(text).toMatch(/^\| `CLIENT_ID_LENGTH` \| .* \| `22` \| /m);
  await stack.refused(2, ['config', 'reference', 'weather']);
});

it('config check: accepts the environment that the stack starts with, and finds what prevents a start', async () => {
  const check = ['config', 'check', 'registration'];
  const [report] = await stack.json(check);
  expect(report).toMatchObject({ service: 'registration', ok: true, problems: [] });
  const sourceOf = (name: string) =>
    report.settings.find((setting: { readonly name: string }) => setting.name === name);
  expect(sourceOf('CLIENT_ID_LENGTH')).toMatchObject({ source: 'environment', value: '31' });
  expect(sourceOf('BASE_URL')).toMatchObject({ source: 'installation', value: stack.baseUrl });
  expect(sourceOf('DATABASE_URL')).toMatchObject({ source: 'environment', value: '(secret)' });
  expect(await stack.text(check)).toMatch(/^registration: can start\n {2}SETTING +SOURCE +VALUE\n/);
  await stack.refused(2, ['config', 'check', 'weather']);
  const bad = { ...stack.environment, CLIENT_ID_LENGTH: 'long', BASE_URL: 'nothing' };
  const { code, stdout } = await vestibule([...check, '--json'], { environment: bad });
  expect(code).toBe(1);
  expect(stdout).not.toContain(stack.environment['DATABASE_URL']);
  const { problems } = JSON.parse(stdout)[0];
  expect(problems.map(({ name }: { readonly name: string }) => name)).toEqual([
    'BASE_URL',
    'CLIENT_ID_LENGTH',
  ]);
  const refusal = await startStack(bad).catch(String);
  for (const { name, problem } of problems) expect(refusal).toContain(`${name}: ${problem}`);
});

it('config check: includes forward-auth if it is named, or its routes file is', async () => {
  const servicesOf = async (environment: Readonly<Record<string, string>>, ...names: string[]) => {
    const { stdout } = await vestibule(['config', 'check', ...names, '--json'], { environment });
    return JSON.parse(stdout).map(({ service }: { readonly service: string }) => service);
  };
  const withFile = { ...stack.environment, ROUTES_FILE: 'none.json' };
  expect(await servicesOf(stack.environment)).not.toContain('forward-auth');
  expect(await servicesOf(withFile)).toContain('forward-auth');
  expect(await servicesOf(stack.environment, 'forward-auth')).toEqual(['forward-auth']);
});

it('audit export and verify: changes over HTTP are recorded, and the chain is intact until an event is changed', async () => {
  const { body } = await stack.send('/clients', { token: stack.masterToken, json: METADATA });
  const { client_id: id } = body;
  const target = ['audit', 'export', '--target', `client:${id}`];
  expect(await stack.json(target)).toMatchObject([{ actor: 'master', action: 'client.registered' }]);
  expect(await stack.text(target)).toMatch(new RegExp(`^ID .*\n.*  master  client.registered  client:${id}`));
  await stack.refused(2, ['audit', 'export', '--json', '--ndjson']);
  // An export is recorded, and not a part of itself.
  const archive = ['audit', 'export', '--ndjson', '--after', '1', '--actor', 'archive'];
  const isExport = (line: string) => line.includes('"actor":"operator:archive"');
  expect((await stack.text(archive)).split('\n').filter(isExport)).toEqual([]);
  expect((await stack.text(archive)).split('\n').filter(isExport)).toHaveLength(1);
  expect(await stack.json(['audit', 'export', '--target', 'audit'])).toContainEqual(
    expect.objectContaining({
      actor: 'operator:cli',
      action: 'audit.exported',
      details: { target: `client:${id}` },
    }),
  );
  const chained = async () => (await stack.typed(target))[0].position;
  await expect.poll(chained, { timeout: 60_000, interval: 500 }).toBeDefined();
  const intact = await stack.json(['audit', 'verify']);
  expect(intact).toMatchObject({ intact: true });
  const { position, hash } = intact.head;
  const head = (at: number) => ['audit', 'verify', '--head', `${at}:${hash}`];
  expect(await stack.text(head(Number(position)))).toMatch(/^Chain +intact\n/);
  const cut = await stack.refused(1, [...head(Number(position) + 1_000), '--json']);
  expect(JSON.parse(cut.stdout)).toMatchObject({ intact: false, reason: 'missing' });
  await stack.sql(
    'SET session_replication_role = replica',
    `UPDATE audit_event SET actor = 'unknown-id' WHERE position = 2`,
  );
  expect(await stack.refused(1, ['audit', 'verify'])).toEqual({
    code: 1,
    stdout: 'The chain is broken: the event at position 2 is changed.\n',
    stderr: '',
  });
});

everyCommandWasRun('tokens', () => stack);
