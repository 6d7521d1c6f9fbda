import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClientFolder, clientFolder, clientYaml, storedClient } from '../support/client-files.js';
import { startInstallation } from '../support/installation.js';

let installation: Awaited<ReturnType<typeof startInstallation>>;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

const stored = (id: string) => storedClient(installation, id);

/** Applies a folder for an owner. */
const apply = (folder: ClientFolder, owner: string, ...options: readonly string[]) =>
  installation.type([
    ...['apply', folder.path, '--owner', owner, '--secrets-file', folder.secrets, '--yes', ...options],
  ]);

const plan = async (folder: ClientFolder, owner: string, ...options: readonly string[]) => {
  const { code, stdout } = await installation.type([
    ...['apply', folder.path, '--owner', owner, '--plan', '--json', ...options],
  ]);
  return { code, ...JSON.parse(stdout) };
};

it('creates clients from files, and a second run changes nothing', async () => {
  const folder = await clientFolder({
    'one.yaml': clientYaml('twice-one'),
    'sub/more.json': JSON.stringify([
      { client_id: 'twice-two', redirect_uris: ['https://two.example.org/cb'], 'client_name#de': 'Zwei' },
      { client_id: 'twice-api', grant_types: ['client_credentials'], data: { tier: 1 } },
    ]),
  });
  expect(await plan(folder, 'twice')).toMatchObject({ code: 5, unchanged: 0 });
  expect(await stored('twice-one')).toBeUndefined();
  expect(await apply(folder, 'twice', '--actor', 'jane')).toMatchObject({ code: 0, stderr: '' });
  expect(await stored('twice-two')).toMatchObject({
    origin: 'import',
    ownership: { owner: 'twice', isSecretUndelivered: false },
    metadata: { response_types: ['code'], 'client_name#de': 'Zwei' },
  });
  expect(await stored('twice-api')).toMatchObject({ data: { tier: 1 } });
  expect(await installation.events()).toEqual(
    expect.arrayContaining([
      'operator:jane client.registered client:twice-one',
      'operator:jane client.secret_handed_over client:twice-one',
    ]),
  );
  const events = await installation.events();
  const before = await stored('twice-one');
  expect(await plan(folder, 'twice', '--prune')).toEqual({
    code: 0,
    changes: [],
    unchanged: 3,
    problems: [],
  });
  const again = await apply(folder, 'twice', '--prune', '--json');
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    created: 0,
    changed: 0,
    deleted: 0,
    secrets: 0,
    unchanged: 3,
  });
  expect(await stored('twice-one')).toEqual(before);
  expect(await installation.events()).toEqual(events);
  expect((await folder.readSecrets()).map(({ client_id }) => client_id).toSorted()).toEqual([
    ...['twice-api', 'twice-one', 'twice-two'],
  ]);
});

it('finds a change made by hand, shows it with old and new values, and takes it back', async () => {
  const folder = await clientFolder({ 'drift.yaml': clientYaml('drift', 'As declared') });
  await apply(folder, 'drift');
  await installation.type([
    'clients',
    'update',
    'drift',
    '--set',
    'client_name=By hand',
    '--set',
    'data={"a":1}',
  ]);
  const { registrationToken, secret } = (await stored('drift')) ?? {};
  const drifted = await installation.type(['apply', folder.path, '--owner', 'drift', '--plan']);
  expect(drifted).toMatchObject({ code: 5, stderr: '' });
  expect(drifted.stdout.split('\n').slice(0, 6)).toEqual([
    '~ drift (drift.yaml): changed',
    '    client_name:',
    '      - "By hand"',
    '      + "As declared"',
    '    data:',
    '      - {"a":1}',
  ]);
  expect(await apply(folder, 'drift')).toMatchObject({ code: 0 });
  const restored = await stored('drift');
  expect(restored).toMatchObject({ metadata: { client_name: 'As declared' }, registrationToken, secret });
  expect(restored?.data).toBeUndefined();
});

it('changes nothing without --yes, and deletes nothing without --prune', async () => {
  const folder = await clientFolder({ 'a.yaml': clientYaml('kept-a'), 'b.yaml': clientYaml('kept-b') });
  const unconfirmed = await installation.type(['apply', folder.path, '--owner', 'kept']);
  expect(unconfirmed).toMatchObject({
    code: 2,
    stderr: 'vestibule: Nothing was changed: use --yes to apply the changes.\n',
  });
  expect(await stored('kept-a')).toBeUndefined();
  await apply(folder, 'kept');
  await folder.remove('b.yaml');
  expect(await apply(folder, 'kept')).toMatchObject({ code: 0 });
  expect(await stored('kept-b')).toBeDefined();
});

it('prunes only clients that the files own', async () => {
  const mine = await clientFolder({ 'a.yaml': clientYaml('prune-a'), 'b.yaml': clientYaml('prune-b') });
  const others = await clientFolder({ 'c.yaml': clientYaml('prune-c') });
  await apply(mine, 'pruning');
  await apply(others, 'others');
  await installation.type(
    ['clients', 'create', '-'],
    JSON.stringify({ preferred_client_id: 'prune-d', redirect_uris: ['https://d.example.org/cb'] }),
  );
  await mine.remove('b.yaml');
  expect(await plan(mine, 'pruning', '--prune')).toMatchObject({
    code: 5,
    changes: [{ client_id: 'prune-b', action: 'delete' }],
  });
  expect(await apply(mine, 'pruning', '--prune')).toMatchObject({ code: 0 });
  const left = await Promise.all(['prune-a', 'prune-b', 'prune-c', 'prune-d'].map(stored));
  expect(left.map((client) => client !== undefined)).toEqual([true, false, true, true]);
  expect((await installation.events()).at(-1)).toBe('operator:cli client.deleted client:prune-b');
  await mine.remove('a.yaml');
  expect(await apply(mine, 'pruning', '--prune')).toMatchObject({ code: 2 });
  expect(await stored('prune-a')).toBeDefined();
});

it('refuses to prune by a folder that has none of the clients of the owner', async () => {
  const right = await clientFolder({ 'a.yaml': clientYaml('all-a'), 'b.yaml': clientYaml('all-b') });
  const wrong = await clientFolder({ 'c.yaml': clientYaml('all-c') });
  await apply(right, 'everything');
  const refusal = { code: 2, stderr: expect.stringContaining('none of the clients of the owner everything') };
  const planning = ['apply', wrong.path, '--owner', 'everything', '--prune', '--plan'];
  expect(await installation.type(planning)).toMatchObject(refusal);
  expect(await apply(wrong, 'everything', '--prune')).toMatchObject(refusal);
  const left = await Promise.all(['all-a', 'all-b', 'all-c'].map(stored));
  expect(left.map((client) => client !== undefined)).toEqual([true, true, false]);
  // Replacing every client is possible in two steps.
  expect(await apply(wrong, 'everything')).toMatchObject({ code: 0 });
  expect(await apply(wrong, 'everything', '--prune')).toMatchObject({ code: 0 });
  expect((await Promise.all(['all-a', 'all-b', 'all-c'].map(stored))).map((client) => client?.id)).toEqual([
    ...[undefined, undefined, 'all-c'],
  ]);
});

it('refuses a file that was not written completely, instead of pruning its clients', async () => {
  const folder = await clientFolder({ 'a.yaml': clientYaml('cut-a'), 'b.yaml': clientYaml('cut-b') });
  await apply(folder, 'cut');
  await folder.write('b.yaml', '');
  expect(await apply(folder, 'cut', '--prune')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^b\.yaml .*has no client/m),
  });
  expect(await stored('cut-b')).toBeDefined();
});

it('takes over clients without an owner only with --adopt, and none of another owner', async () => {
  const body = {
    preferred_client_id: 'taken',
    client_name: 'taken',
    redirect_uris: ['https://taken.example.org/cb'],
  };
  await installation.type(['clients', 'create', '-'], JSON.stringify(body));
  const folder = await clientFolder({ 'taken.yaml': clientYaml('taken') });
  expect(await apply(folder, 'first')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('use --adopt'),
  });
  const { secret } = (await stored('taken')) ?? {};
  expect(await plan(folder, 'first', '--adopt')).toMatchObject({
    changes: [{ action: 'adopt', members: [] }],
  });
  expect(await apply(folder, 'first', '--adopt')).toMatchObject({ code: 0 });
  expect(await stored('taken')).toMatchObject({ secret, ownership: { owner: 'first' } });
  expect((await installation.events()).at(-1)).toBe('operator:cli client.adopted client:taken');
  expect(await apply(folder, 'second', '--adopt')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('belongs to a client that the files of another owner have'),
  });
});

it('shows and records that a client is taken over although it is also changed', async () => {
  const body = { preferred_client_id: 'differing', redirect_uris: ['https://differing.example.org/cb'] };
  await installation.type(['clients', 'create', '-'], JSON.stringify(body));
  const folder = await clientFolder({ 'a.yaml': clientYaml('differing', 'Declared') });
  const planning = ['apply', folder.path, '--owner', 'differs', '--adopt', '--plan'];
  expect((await installation.type(planning)).stdout).toMatch(
    /^~ differing \(a\.yaml\): changed and adopted\n {4}client_name:\n/,
  );
  expect(await plan(folder, 'differs', '--adopt')).toMatchObject({
    changes: [{ client_id: 'differing', action: 'update', adopts: true }],
  });
  expect(await apply(folder, 'differs', '--adopt')).toMatchObject({ code: 0 });
  expect((await installation.events()).at(-1)).toBe('operator:cli client.adopted client:differing');
  await folder.write('a.yaml', clientYaml('differing', 'Changed'));
  expect(await plan(folder, 'differs')).toMatchObject({ changes: [{ action: 'update', adopts: false }] });
  await apply(folder, 'differs');
  expect((await installation.events()).at(-1)).toBe('operator:cli client.updated client:differing');
});

it('lists every problem with file, client and member, and changes nothing', async () => {
  const folder = await clientFolder({
    'a-good.yaml': clientYaml('faultless'),
    'b-bad.yaml': [
      '- client_id: wrong',
      '  redirect_uri: https://a.example.org/cb',
      '  redirect_uris: [1, https://a.example.org/cb]',
      '- client_id: plain',
      '  redirect_uris: [http://a.example.org/cb]',
      '- client_secret: hunter2hunter2hunter2hunter2hunter2',
      '- client_id: faultless',
      '',
    ].join('\n'),
  });
  const { code, stdout, stderr } = await apply(folder, 'problems', '--json');
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'Nothing was changed: 6 problems in the files.\n' });
  expect(stdout).not.toContain('hunter2');
  expect(JSON.parse(stdout).problems).toEqual([
    { file: 'b-bad.yaml', client: 'wrong', member: 'redirect_uri', problem: 'is not a member of a client' },
    {
      file: 'b-bad.yaml',
      client: 'wrong',
      member: 'redirect_uris[0]',
      problem: 'must be of the type string',
    },
    { file: 'b-bad.yaml', client: 'clients[2]', member: 'client_id', problem: 'is missing' },
    {
      ...{ file: 'b-bad.yaml', client: 'clients[2]', member: 'client_secret' },
      problem: 'must not be in a file: remove the secret, and replace it if others may have read it',
    },
    { file: 'b-bad.yaml', client: 'faultless', member: 'client_id', problem: 'is also in a-good.yaml' },
    {
      ...{ file: 'b-bad.yaml', client: 'plain', member: 'redirect_uris[0]' },
      problem: 'must be an https URI on a public host for a web client',
    },
  ]);
  expect(await stored('faultless')).toBeUndefined();
});

it('honours blocks before it changes anything', async () => {
  await installation.type(['clients', 'block', '--host', 'blocked.example.org', '--yes']);
  const folder = await clientFolder({ 'a.yaml': clientYaml('blocked'), 'b.yaml': clientYaml('unblocked') });
  expect(await apply(folder, 'blocks')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('has blocked this client'),
  });
  expect(await stored('unblocked')).toBeUndefined();
});

it('lets one of two runs at once apply the files, and the other one do nothing', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`${index}.yaml`, clientYaml(`parallel-${index}`)]),
  );
  const folder = await clientFolder(files);
  const outcomes = await Promise.all([apply(folder, 'parallel'), apply(folder, 'parallel')]);
  expect(outcomes.map(({ code }) => code).toSorted()).toEqual([0, 4]);
  expect(outcomes.find(({ code }) => code === 4)?.stderr).toBe(
    'vestibule: Another run for the owner parallel is in progress.\n',
  );
  const ids = (await folder.readSecrets()).map(({ client_id }) => client_id);
  expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
});

it('exports clients to files that own them, so that applying the files changes nothing', async () => {
  const body = {
    preferred_client_id: 'https://exported.example.org/a*b',
    client_name: 'No: "1" #x',
    'client_name#de': 'Nein',
    redirect_uris: ['https://exported.example.org/cb'],
    default_max_age: 3600,
    data: { list: [1, true, null, '007', ' \n', 'a\n', '\t\n b'] },
  };
  await installation.type(['clients', 'create', '-'], JSON.stringify(body));
  const folder = await clientFolder();
  const exporting = [
    'clients',
    'export',
    folder.path,
    '--owner',
    'exported',
    '--client',
    body.preferred_client_id,
  ];
  expect(await installation.type(exporting)).toMatchObject({ code: 0 });
  expect(await stored(body.preferred_client_id)).toMatchObject({ ownership: { owner: 'exported' } });
  expect(await plan(folder, 'exported', '--prune')).toEqual({
    code: 0,
    changes: [],
    unchanged: 1,
    problems: [],
  });
  expect(JSON.parse((await installation.type([...exporting, '--json'])).stdout)).toEqual([
    expect.objectContaining({ outcome: 'owned' }),
  ]);
  await installation.type(['clients', 'update', body.preferred_client_id, '--set', 'client_name=Other']);
  expect(await installation.type(exporting)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('exists with other content'),
  });
});

it('exports no client to a file that it then overlooks', async () => {
  const ids = ['odd.schema', '.hidden', 'A.YAML', 'client', '..x', 'a/../b'];
  const folder = await clientFolder();
  for (const id of ids)
    await installation.type(
      ['clients', 'create', '-'],
      JSON.stringify({ preferred_client_id: id, redirect_uris: ['https://odd.example.org/cb'] }),
    );
  const exporting = ['clients', 'export', folder.path, '--owner', 'odd', '--client', ...ids];
  expect(await installation.type(exporting)).toMatchObject({ code: 0 });
  expect(await plan(folder, 'odd', '--prune')).toEqual({
    code: 0,
    changes: [],
    unchanged: ids.length,
    problems: [],
  });
});
