import { openSmallFederation } from '@vestibule/testkit/federation';
import { expect, it, onTestFinished } from 'vitest';
import { startInstallation } from '../support/installation.js';

const ISSUER = 'https://as.example.org';

it('explains as a tree and as JSON, and judges a request without registering', async () => {
  const federation = await openSmallFederation();
  onTestFinished(() => federation.close());
  const { type, file, store, close } = await startInstallation({
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
    FEDERATION_AUTHORITY_HINTS: federation.intermediates[1].id,
    MASTER_TOKEN_SHA256: 'ab'.repeat(32),
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
    ALLOW_LOOPBACK_REDIRECT_URIS: 'true',
  });
  onTestFinished(close);
  const [first] = federation.intermediates;
  const member = await federation.relyingParty();

  const { code, stdout } = await type(['federation', 'explain', member.id]);
  expect(code).toBe(0);
  const [verdict, , root, ...lines] = stdout.split('\n');
  expect(verdict).toMatch(new RegExp(`^${member.id} is trusted until `));
  expect(root).toBe(member.id);
  expect(lines).toContain(`└─ ${first.id}`);
  expect(lines).toContain(`   └─ ${federation.anchor.id}`);
  expect(stdout).toContain('✓ trusted by this path');

  const request = await file('request.jwt', await federation.registrationRequest(member, ISSUER));
  const judged = await type(['federation', 'register', '--dry-run', request, '--json']);
  expect(judged.code).toBe(0);
  expect(JSON.parse(judged.stdout)).toMatchObject({
    trusted: true,
    registration: { metadata: { client_name: 'Small relying party' } },
  });

  const { id } = await federation.stranger();
  const refused = await type(['federation', 'explain', id]);
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(`^${id} is not trusted: `) });
  expect(refused.stdout).toContain('- its statement was not judged');
  for await (const page of store.database.clients.list()) expect(page).toEqual([]);
});
