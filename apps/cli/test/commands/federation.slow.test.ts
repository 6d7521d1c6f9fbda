import { openSmallFederation, type SmallFederation } from '@vestibule/testkit/federation';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Shell } from '../../src/completion/completion-scripts.js';
import { everyCommandWasRun, type OperatedStack, openStack } from '../support/operated-stack.js';
import { COMPLETED_BY, missingShell } from '../support/shells.js';

let federation: SmallFederation;
let stack: OperatedStack;

beforeAll(async () => {
  federation = await openSmallFederation();
  stack = await openStack({
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
    FEDERATION_AUTHORITY_HINTS: federation.intermediates[1].id,
    EGRESS_ALLOW_HOSTS: '127.0.0.1,localhost',
  });
});
afterAll(async () => {
  await stack.stop();
  await federation.close();
});

it('federation explain: prints trust paths as a tree and as JSON, or why there is none', async () => {
  const member = await federation.relyingParty();
  const lines = (await stack.text(['federation', 'explain', member.id])).split('\n');
  expect(lines[0]).toMatch(new RegExp(`^${member.id} is trusted until `));
  expect(lines.slice(2)).toEqual(
    expect.arrayContaining([
      member.id,
      `└─ ${federation.intermediates[0].id}`,
      `   └─ ${federation.anchor.id}`,
      expect.stringMatching(/✓ trusted by this path$/),
    ]),
  );
  expect(await stack.json(['federation', 'explain', member.id])).toMatchObject({
    subject: member.id,
    trusted: true,
  });
  const { id } = await federation.newEntity();
  const refused = await stack.refused(1, ['federation', 'explain', id]);
  expect(refused.stdout).toMatch(new RegExp(`^${id} is not trusted: `));
  expect(refused.stdout).toContain('- its statement was not checked');
});

it('federation deny, denied, allow: delete the clients of an entity at once, with audit events', async () => {
  const member = await federation.relyingParty();
  const { masterToken: token } = stack;
  const register = async () =>
    fetch(`${stack.baseUrl}/federation/clients`, {
      method: 'POST',
      headers: { 'content-type': 'application/entity-statement+jwt' },
      body: await federation.registrationRequest(member, stack.baseUrl),
    });
  expect(await stack.text(['federation', 'denied'])).toMatch(/^No entity is denied\./);
  expect((await register()).status).toBe(200);
  const [superior] = federation.intermediates;
  const requested = await stack.refused(2, ['federation', 'deny', superior.id]);
  expect(requested.stderr).toContain('Nothing was changed: use --yes to deny the entity and delete 1 client');
  expect(await stack.json(['federation', 'denied'])).toEqual([]);
  const denied = await stack.json([
    'federation',
    'deny',
    superior.id,
    '--reason',
    'stolen',
    '--yes',
    '--actor',
    'jane',
  ]);
  expect(denied).toMatchObject({ entity_id: superior.id, denied: true, deleted: [expect.any(String)] });
  expect(await stack.send('/clients', { token })).toMatchObject({ body: [] });
  expect((await register()).status).toBe(401);
  expect(await stack.json(['federation', 'denied'])).toMatchObject([
    { entity_id: superior.id, reason: 'stolen', denied_at: expect.any(Number) },
  ]);
  expect(await stack.json(['federation', 'allow', superior.id, '--actor', 'jane'])).toEqual({
    entity_id: superior.id,
    denied: false,
  });
  expect(await stack.text(['federation', 'deny', superior.id])).toMatch(/is denied; deleted 0 clients\.$/m);
  await stack.text(['federation', 'allow', superior.id]);
  await stack.refused(3, ['federation', 'allow', superior.id]);
  await stack.refused(2, ['federation', 'deny', 'rp.example']);
  await stack.refused(2, ['federation', 'denied', superior.id]);
  const events = await stack.events();
  for (const action of ['entity_denied', 'entity_allowed'])
    expect(events).toContain(`operator:jane federation.${action} entity:${superior.id}`);
});

it('federation purge: makes running services fetch statements again', async () => {
  expect(await stack.json(['federation', 'purge', '--actor', 'jane'])).toEqual({ purged: true });
  expect(await stack.text(['federation', 'purge'])).toMatch(
    /^Every service discards its cached statements\.$/m,
  );
  await stack.refused(2, ['federation', 'purge', 'all']);
  expect(await stack.events()).toContain('operator:jane federation.statements_purged federation');
});

it('federation register: predicts the result of the endpoint without changing anything', async () => {
  const member = await federation.relyingParty();
  const text = await federation.registrationRequest(member, stack.baseUrl);
  const path = await stack.file('request.jwt', text);
  const evaluate = ['federation', 'register', '--dry-run', path];
  expect(await stack.text(evaluate)).toMatch(
    /^Would be registered until .* with:\n.*^ {2}client_name: "Small/ms,
  );
  const evaluated = await stack.json(evaluate);
  expect(evaluated).toMatchObject({
    trusted: true,
    registration: { metadata: { client_name: 'Small relying party' } },
  });
  const { masterToken: token } = stack;
  expect(await stack.send('/clients', { token })).toMatchObject({ body: [] });
  await stack.refused(2, ['federation', 'register', path]);
  const foreign = await stack.file(
    'foreign.jwt',
    await federation.registrationRequest(member, 'https://op.example'),
  );
  const refused = await stack.refused(1, ['federation', 'register', '--dry-run', foreign]);
  expect(refused).toMatchObject({ stdout: '', stderr: expect.stringMatching(/\(invalid_request\)\n$/) });
  const statement = { text: ['application/entity-statement+jwt', text] } as const;
  expect(await stack.send('/federation/clients', statement)).toMatchObject({ status: 200 });
  expect(await stack.send('/clients', { token })).toMatchObject({
    body: [{ client_name: evaluated.registration.metadata.client_name }],
  });
});

it.for<Shell>(['bash', 'zsh', 'fish'])(
  'completion: %s completes groups, commands, options and choices',
  async (shell, { skip }) => {
    const script = await stack.text(['completion', shell]);
    expect(await stack.json(['completion', shell])).toEqual({ shell, script });
    await stack.refused(2, ['completion', shell, 'please']);
    const reason = await missingShell(shell);
    if (reason !== undefined) skip(reason);
    const path = await stack.file(`vestibule.${shell}`, script);
    const completed = await COMPLETED_BY[shell](path, [
      'vestibule key',
      'vestibule keys ac',
      'vestibule logout deliveries --state dea',
      'vestibule tokens revoke --su',
      'vestibule config check intro',
      'vestibule apply clients --secrets-f',
      'vestibule apply --pru',
    ]);
    expect(completed).toEqual([
      ...['keys', 'activate', 'dead', '--sub', 'introspection', '--secrets-file', '--prune'],
    ]);
  },
);

everyCommandWasRun('federation', () => stack);
