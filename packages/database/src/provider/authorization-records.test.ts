import { expect, it } from 'vitest';
import type { Database } from '../open-database.js';
import { aClient, after, anId, isRevoked, NOW, twoProcesses } from '../testing/fixtures.js';
import { countRows, query, whileChanging } from '../testing/test-database.js';
import { JWT_KIND } from './end-artifacts.js';

const ISSUER = 'https://server.example';

const ENDS: Readonly<Record<string, (database: Database) => Promise<void>>> = {
  'by itself': ({ providerRecords }) => providerRecords.authorizations.destroy('grant', NOW),
  'with its end-user': ({ revocations }) => revocations.revokeSubject('alice', NOW),
};

it.each(Object.entries(ENDS))(
  'revokes the self-contained token that is being issued under an authorization while that ends %s',
  async (_how, end) => {
    const { url, one } = await twoProcesses();
    await one.clients.create(aClient({ id: anId('client') }));
    await query(
      url,
      `INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
        VALUES ('grant', 'client', 'alice', '{}', now())`,
    );
    const issue = `SELECT FROM "authorization" WHERE id = 'grant' FOR KEY SHARE;
      INSERT INTO artifact (kind, digest, payload, authorization_id, expires_at) VALUES
        ('${JWT_KIND}', sha256('late'), '{"iss": "${ISSUER}", "jti": "late"}', 'grant', to_timestamp(${after(60)}))`;
    const { result } = await whileChanging(url, issue, () => end(one));
    await result;
    const token = {
      issuer: ISSUER,
      jti: 'late',
      clientId: anId('client'),
      subject: 'pairwise',
      earliestIssuedAt: NOW,
    };
    expect(await isRevoked(one, token)).toBe(true);
    expect(await countRows(url, 'artifact')).toBe(0);
  },
);
