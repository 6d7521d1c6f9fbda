import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { Provider } from 'oidc-provider';
import { type Static, Type } from 'typebox';
import { redisAdapter } from './redis-adapter.js';
import { listenOn, serveParent } from './serve-parent.js';

const Configuration = Type.Object({
  issuer: Type.String(),
  /** Absent for the built-in in-memory adapter. */
  redisUrl: Type.Optional(Type.String()),
  /** The resource server. */
  clientId: Type.String(),
  clientSecret: Type.String(),
  signedResponseAlgorithm: Type.Optional(Type.String()),
  /** The end-user of each access token to issue. */
  subjects: Type.Array(Type.String()),
  scope: Type.String(),
});

type Configuration = Static<typeof Configuration>;

const LIFETIME_SECONDS = 86_400;
const SAVED_AT_ONCE = 200;

await serveParent(Configuration, async (configuration) => {
  const redis = configuration.redisUrl && new Redis(configuration.redisUrl, { enableAutoPipelining: true });
  const provider = new Provider(configuration.issuer, {
    ...(redis && { adapter: (model: string) => redisAdapter(redis, model) }),
    jwks: { keys: [privateJwk('rsa'), privateJwk('ec')] },
    clients: [resourceServer(configuration)],
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    extraTokenClaims: (_context: unknown, { accountId }: { accountId: string }) => ({ username: accountId }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      jwtIntrospection: { enabled: true },
      registration: { enabled: true },
      registrationManagement: { enabled: true, rotateRegistrationAccessToken: true },
    },
    ttl: { AccessToken: LIFETIME_SECONDS, Grant: LIFETIME_SECONDS },
  });
  return {
    details: await issueTokens(provider, configuration),
    listen: () => listenOn(createServer(provider.callback())),
  };
});

function resourceServer({ clientId, clientSecret, signedResponseAlgorithm }: Configuration) {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    ...(signedResponseAlgorithm !== undefined && {
      introspection_signed_response_alg: signedResponseAlgorithm,
    }),
  };
}

function privateJwk(type: 'rsa' | 'ec') {
  const { privateKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: type === 'rsa' ? 'RS256' : 'ES256' };
}

/** As after a sign-in: each token belongs to the grant of its end-user. */
async function issueTokens(
  provider: Provider,
  { clientId, scope, subjects }: Configuration,
): Promise<readonly string[]> {
  const issue = async (accountId: string) => {
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(scope);
    const grantId = await grant.save();
    const gty = 'authorization_code';
    const token = new provider.AccessToken({ accountId, clientId, grantId, scope, gty });
    token.setAudience(clientId);
    return token.save();
  };
  const tokens: string[] = [];
  for (let first = 0; first < subjects.length; first += SAVED_AT_ONCE) {
    tokens.push(...(await Promise.all(subjects.slice(first, first + SAVED_AT_ONCE).map(issue))));
  }
  return tokens;
}
