import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ISSUER } from '../test-environment/installation.js';
import { bearerJson, FORM, formOf, type OpenTraffic } from './traffic.js';

const Issued = Type.Object({ access_token: Type.String() });
/** One turn in this many sends its body slowly. */
const SLOW_EVERY = 15;
const SLOW_MS = 900;
const hasKeys = (body: string) => body.startsWith('{"keys":[{');

/** Issues and revokes tokens of both formats, and requests the token endpoint, the key set and discovery. */
export const authorizationTraffic: OpenTraffic = async ({
  installation: { resourceServer },
  masterToken,
}) => {
  let turns = 0;
  return {
    environment: { ACCESS_TOKEN_SIGNING_ALG: 'ES256' },
    turn: async (send) => {
      turns += 1;
      const format = turns % 2 === 0 ? 'jwt' : 'identifier';
      const slowMs = turns % SLOW_EVERY === 0 ? SLOW_MS : 0;
      const grant = JSON.stringify({ client_id: resourceServer.id, sub: 'alice', scope: 'read', format });
      const { body } = await send(
        { method: 'POST', path: '/direct-authz', headers: bearerJson(masterToken()), body: grant, slowMs },
        { status: 200 },
      );
      const { access_token: token } = Value.Parse(Issued, JSON.parse(body));
      await send({ method: 'GET', path: '/jwks.json' }, { status: 200, isRight: hasKeys });
      await send(
        {
          method: 'POST',
          path: '/direct-authz/revoke',
          headers: bearerJson(masterToken()),
          body: JSON.stringify({ token }),
        },
        { status: 204 },
      );
      await send(
        {
          method: 'POST',
          path: '/token',
          headers: { authorization: resourceServer.authorization, ...FORM },
          body: formOf({ grant_type: 'client_credentials', scope: `${ISSUER}/token/introspect` }),
        },
        { status: 200, isRight: (text) => Value.Check(Issued, JSON.parse(text)) },
      );
      await send(
        { method: 'GET', path: '/.well-known/openid-configuration' },
        { status: 200, isRight: (text) => text.includes(`"issuer":"${ISSUER}"`) },
      );
    },
  };
};
