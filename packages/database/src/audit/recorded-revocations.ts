import type { RevocationStore } from '@vestibule/tokens/revocation';
import { REVOCATION_STATEMENTS, revocationStore } from '../revocation-store.js';
import type { RunStatement, Statement } from '../statement.js';
import type { Author } from './author.js';
import { recordEvent, shortDigest } from './record-event.js';

type RevocationName = Extract<keyof typeof REVOCATION_STATEMENTS, `revoke${string}`>;

/** The event of a revocation, and the number of parameters of the revocation itself. */
interface RecordedRevocation {
  readonly parameters: number;
  /** The rows that become events, as they are before the revocation. */
  readonly from: string;
  readonly action: string;
  readonly target: string;
}

const ALWAYS = '(VALUES (true)) AS always';

// Subjects and sessions are recorded as digests, because events outlive them. They can be looked up by their
// identifier.
const RECORDED: { readonly [Name in RevocationName]: RecordedRevocation } = {
  revokeAccessToken: ofDigest('access_token', 1),
  revokeRefreshToken: ofDigest('refresh_token', 2),
  revokeUnknown: {
    parameters: 4,
    from: `unnest(($2::bytea[])[1:1]) AS digest
      WHERE NOT EXISTS (SELECT FROM imported_token WHERE digest = ANY($1::bytea[]) AND NOT is_pending)`,
    action: `'token.revoked'`,
    target: `'imported_token:' || encode(substring(digest FROM 1 FOR 4), 'hex')`,
  },
  revokeSelfContained: of('token', 4, `'access_token:' || $2::text`),
  revokeClient: of('tokens', 2, `'client:' || $1::text`),
  revokeSubject: of('tokens', 2, `'subject:' || ${shortDigest('$1')}`),
  revokeSession: of('tokens', 2, `'session:' || ${shortDigest('$1')}`),
  revokeIssuer: of('tokens', 2, `'issuer:' || $1::text`),
};

/** The statements that revoke and record it. They are repeatable; each repetition is recorded. */
export const RECORDED_REVOCATION_STATEMENTS = Object.fromEntries(
  Object.entries(RECORDED).map(([name, recorded]) => [
    REVOCATION_STATEMENTS[name as RevocationName].name,
    recordedStatement(REVOCATION_STATEMENTS[name as RevocationName], recorded),
  ]),
);

/** Creates the revocation store whose revocations are recorded in the same statements. */
export function recordedRevocations(run: RunStatement, author: Author): RevocationStore {
  return revocationStore((statement, values) => {
    const recorded = RECORDED_REVOCATION_STATEMENTS[statement.name];
    return recorded === undefined
      ? run(statement, values)
      : run(recorded, [...values, author.actor, author.clock.nowMs() / 1000]);
  });
}

function recordedStatement({ name, text, repeatable }: Statement, recorded: RecordedRevocation): Statement {
  const event = recordEvent({
    ...recorded,
    actor: `$${recorded.parameters + 1}::text`,
    occurredAt: `to_timestamp($${recorded.parameters + 2})`,
  });
  const rest = text.startsWith('WITH ') ? `, ${text.slice('WITH '.length)}` : ` ${text}`;
  return { name: `${name}-recorded`, text: `WITH recorded AS (${event})${rest}`, repeatable };
}

function of(what: 'token' | 'tokens', parameters: number, target: string): RecordedRevocation {
  return { parameters, from: ALWAYS, action: `'${what}.revoked'`, target };
}

function ofDigest(table: 'access_token' | 'refresh_token', parameters: number): RecordedRevocation {
  return {
    parameters,
    from: `${table} WHERE digest = ANY($1::bytea[])`,
    action: `'token.revoked'`,
    target: `'${table}:' || encode(substring(digest FROM 1 FOR 4), 'hex')`,
  };
}
