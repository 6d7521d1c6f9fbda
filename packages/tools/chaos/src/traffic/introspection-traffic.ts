import { issueLoneToken, type LoneToken } from '../load/lone-token.js';
import { type Ask, FORM, formOf, type OpenTraffic } from './traffic.js';

const TOKENS = 24;
const LIFETIME_SECONDS = 3_600;
/** One turn in this many uses a token up. */
const CLAIM_EVERY = 25;
/** One turn in this many sends its body slowly. */
const SLOW_EVERY = 40;
const SLOW_MS = 900;
const isActive = (body: string) => body.startsWith('{"active":true');
const isInactive = (body: string) => body === '{"active":false}';

/** Live tokens of both formats, unknown tokens, and tokens that are used up. */
export const introspectionTraffic: OpenTraffic = async ({ installation }) => {
  const { authorization } = installation.resourceServer;
  const issue = (format: LoneToken['format']) => issueLoneToken(installation, format, LIFETIME_SECONDS);
  const live = await Promise.all(
    Array.from({ length: TOKENS }, (_, index) => issue(index % 2 === 0 ? 'identifier' : 'jwt')),
  );
  const introspect = (ask: Ask, form: Readonly<Record<string, string>>, active: boolean, slowMs = 0) =>
    ask(
      {
        method: 'POST',
        path: '/token/introspect',
        headers: { authorization, ...FORM },
        body: formOf(form),
        slowMs,
      },
      { status: 200, isRight: active ? isActive : isInactive },
    );
  let turns = 0;
  return {
    environment: {},
    turn: async (ask) => {
      turns += 1;
      const turn = turns;
      const { token } = live[turn % TOKENS] ?? (await issue('identifier'));
      await introspect(ask, { token }, true, turn % SLOW_EVERY === 0 ? SLOW_MS : 0);
      await introspect(ask, { token: token.split('').toReversed().join('') }, false);
      if (turn % CLAIM_EVERY !== 0) return;
      const { token: once } = await issue('identifier');
      await introspect(ask, { token: once, revoke: 'true' }, true);
      await introspect(ask, { token: once }, false);
    },
  };
};
