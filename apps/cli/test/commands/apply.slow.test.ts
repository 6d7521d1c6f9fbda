import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientFolder } from '../support/client-files.js';
import {
  everyCommandWasRun,
  introspect,
  type OperatedStack,
  openStack,
  tokenFor,
} from '../support/operated-stack.js';

let stack: OperatedStack;

beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.stop());

it('apply: a resource server from a file can introspect with the secret that was handed over', async () => {
  const { text, json, refused, baseUrl } = stack;
  const declared = (name: string) =>
    [
      '- client_id: orders-api',
      `  client_name: ${name}`,
      '  grant_types: [client_credentials]',
      `  scope: read ${baseUrl}/token/introspect`,
      '',
    ].join('\n');
  const folder = await clientFolder({ 'orders.yaml': declared('Orders') });
  const applying = ['apply', folder.path, '--owner', 'orders'];
  await refused(5, [...applying, '--plan']);
  await refused(2, [...applying, '--yes']);
  const outcome = await json([...applying, '--yes', '--secrets-file', folder.secrets]);
  expect(outcome).toMatchObject({ created: 1, secrets: 1, unchanged: 0, problems: [] });
  const [secret] = await folder.readSecrets();
  const token = await tokenFor(stack, { client_id: 'orders-api', sub: undefined });
  const response = await introspect(stack, ['orders-api', secret?.client_secret ?? ''], token);
  expect(response).toMatchObject({ status: 200, body: { active: true } });
  expect(await text([...applying, '--yes'])).toMatch(/^unchanged +1$/m);
  await folder.write('orders.yaml', declared('Orders of today'));
  expect(await text([...applying, '--yes'])).toMatch(/^changed +1$/m);
  const read = await stack.send('/clients/orders-api', { token: stack.masterToken });
  expect(read.body).toMatchObject({ client_name: 'Orders of today', client_secret: secret?.client_secret });
});

it('apply: refuses a folder that does not exist, and prune of an empty one', async () => {
  await stack.refused(1, ['apply', join(stack.folder, 'nowhere'), '--owner', 'orders', '--plan']);
  const empty = join(stack.folder, 'empty');
  await mkdir(empty);
  await stack.refused(2, ['apply', empty, '--owner', 'orders', '--prune', '--plan']);
});

everyCommandWasRun('apply', () => stack);
