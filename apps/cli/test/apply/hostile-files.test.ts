import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { loadClients } from '../../src/commands/apply/load-clients.js';
import { clientFolder, clientYaml } from '../support/client-files.js';

/** Loads a folder with one file, and returns its problem. */
async function problemOf(name: string, content: string | Uint8Array): Promise<string | undefined> {
  const folder = await clientFolder();
  await folder.write(name, content);
  const { clients, problems } = await loadClients(folder.path);
  if (problems.length > 0) expect(clients.size).toBe(0);
  return problems.map(({ member, problem }) => (member === undefined ? problem : `${member} ${problem}`))[0];
}

const bomb = ['a: &a0 [x]'];
for (let level = 1; level < 30; level += 1)
  bomb.push(`a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`);
const deep = '['.repeat(50_000);
const manyKeys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n');

it.each([
  ['repeated keys', 'client_id: a\nclient_id: b\n', 'has an object that repeats a key'],
  ['repeated keys within', 'client_id: a\ndata: {x: 1, x: 2}\n', 'has an object that repeats a key'],
  ['an alias bomb', bomb.join('\n'), 'has more than 32 aliases'],
  ['an alias of itself', 'client_id: a\ndata: &d {x: *d}\n', 'is nested too deeply'],
  ['an unknown alias', 'client_id: *nothing\n', 'has an alias without an anchor'],
  [
    'aliases of a long text',
    `a: &a ${'x'.repeat(200_000)}\nb: [${Array(30).fill('*a').join()}]\n`,
    /^is too large with/,
  ],
  ['an empty file', '', /^has no client/],
  ['a file of comments', '# client_id: a\n---\n# nothing\n', /^has no client/],
  ['deep nesting', deep, /nested too deeply|not valid YAML/],
  ['twenty thousand keys', manyKeys, 'client_id is missing'],
  ['__proto__', 'client_id: a\n__proto__: {x: 1}\n', 'The JSON text uses a reserved member name'],
  ['a tag of JavaScript', 'client_id: !!js/function "function () {}"\n', 'line 1 has a tag'],
  ['a tag of the core schema', 'client_id: !!str 1\n', 'has a tag'],
  ['a tag without a name', 'client_id: a\ndata: ! {x: 1}\n', 'has a tag'],
  ['a tag of a key', '!!str client_id: a\n', 'has a key that is not a string'],
  ['a binary tag', 'client_id: !!binary aGk=\n', 'line 1 has a tag'],
  ['a merge key', 'client_id: a\n<<: {client_name: x}\n', '<< is not a member of a client'],
  ['keys that are no strings', '{[a]: 1}\n', 'has a key that is not a string'],
  ['a number as key', '1: a\n', 'has a key that is not a string'],
  ['infinity', 'client_id: a\ndefault_max_age: .inf\n', 'has a number that is not finite'],
  ['a large number', 'client_id: a\ndata: {n: 9007199254740993}\n', 'has a whole number beyond 2^53'],
  ['YAML 1.1', '%YAML 1.1\n---\nclient_id: a\n', 'must be YAML 1.2'],
  ['invalid YAML', 'client_id: "secret-that-is-not-shown\n', 'line 2 is not valid YAML'],
  ['a scalar', 'client', 'must be an object with the members of a client'],
  [
    'NUL',
    'client_id: "a\\0b"\n',
    'A string in the JSON text holds a control character or a broken character',
  ],
  ['a null', 'client_id: a\nclient_name:\n', 'client_name must be of the type string'],
  ['a dot as identifier', 'client_id: .\n', 'client_id must not be . or ..'],
])('refuses %s', async (_what, content, problem) => {
  expect(await problemOf('a.yaml', content)).toMatch(problem);
});

it.each([
  ['repeated members', '{"client_id":"a","client_id":"b"}', 'The JSON text repeats a member name'],
  ['YAML', 'client_id: a', 'The text is not valid JSON'],
])('refuses %s in JSON', async (_what, content, problem) => {
  expect(await problemOf('a.json', content)).toBe(problem);
});

it('refuses bytes that are not UTF-8, and files that are too large', async () => {
  expect(await problemOf('a.yaml', Buffer.from('client_id: caf\xe9\n', 'latin1'))).toBe('is not UTF-8');
  expect(await problemOf('a.yaml', `# ${'x'.repeat(1_048_576)}`)).toBe('is larger than 1048576 bytes');
});

it('follows symbolic links within the folder only', async () => {
  const folder = await clientFolder();
  const outside = join(dirname(folder.path), 'outside.yaml');
  await writeFile(outside, clientYaml('outside'));
  await symlink(outside, join(folder.path, 'out.yaml'));
  await symlink('/dev/zero', join(folder.path, 'zero.yaml'));
  await symlink(dirname(folder.path), join(folder.path, 'parent'));
  await symlink('nothing.yaml', join(folder.path, 'nothing-there.yaml'));
  const { clients, problems } = await loadClients(folder.path);
  expect(clients.size).toBe(0);
  expect(problems).toEqual([
    { file: 'nothing-there.yaml', problem: 'is a symbolic link to nothing' },
    { file: 'out.yaml', problem: 'is a symbolic link out of the folder' },
    { file: 'parent', problem: 'is a symbolic link out of the folder' },
    { file: 'zero.yaml', problem: 'is a symbolic link out of the folder' },
  ]);
});

it('reads the files of a mounted ConfigMap, which are links through a hidden folder', async () => {
  const folder = await clientFolder();
  await mkdir(join(folder.path, '..2026_11_29'));
  await folder.write('..2026_11_29/shop.yaml', clientYaml('shop'));
  await symlink('..2026_11_29', join(folder.path, '..data'));
  await symlink('..data/shop.yaml', join(folder.path, 'shop.yaml'));
  const { clients, problems } = await loadClients(folder.path);
  expect(problems).toEqual([]);
  expect([...clients.keys()]).toEqual(['shop']);
});

it('does not wait for pipes, and leaves out hidden files, schemas and other files', async () => {
  const folder = await clientFolder({
    '.hidden.yaml': clientYaml('hidden'),
    '.git/a.yaml': clientYaml('git'),
    'client.schema.json': '{}',
    'README.md': '# Clients',
    'empty.yaml': '[]\n',
    'LOUD.YAML': clientYaml('loud'),
    'like.schema.yaml': clientYaml('like.schema'),
    'two.yml': `${clientYaml('first')}---\n- ${clientYaml('second').trimEnd().replaceAll('\n', '\n  ')}\n`,
  });
  execFileSync('mkfifo', [join(folder.path, 'pipe.yaml')]);
  const { clients, problems } = await loadClients(folder.path);
  expect(problems).toEqual([{ file: 'pipe.yaml', problem: 'is not a regular file' }]);
  expect([...clients.keys()]).toEqual(['loud', 'like.schema', 'first', 'second']);
});

it('reads values shared by anchors', async () => {
  const folder = await clientFolder({
    'a.yaml': `- &one {client_id: one, contacts: &team [ops@example.org]}\n- {client_id: two, contacts: *team}\n`,
  });
  const { clients } = await loadClients(folder.path);
  expect(clients.get('two')?.client.members).toEqual({ contacts: ['ops@example.org'] });
});
