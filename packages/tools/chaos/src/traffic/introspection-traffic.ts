import { type IsolatedToken, issueIsolatedToken } from '../load/isolated-token.js';
import { FORM, formOf, type OpenTraffic, type Send } from './traffic.js';

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
  const issue = (format: IsolatedToken['format']) =>
    issueIsolatedToken(installation, format, LIFETIME_SECONDS);
  const live = await Promise.all(
    Array.from({ length: TOKENS }, (_, index) => issue(index % 2 === 0 ? 'identifier' : 'jwt')),
  );
  const introspect = (send: Send, form: Readonly<Record<string, string>>, active: boolean, slowMs = 0) =>
    send(
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
    turn: async (send) => {
      turns += 1;
      const turn = turns;
      const { token } = live[turn % TOKENS] ?? (await issue('identifier'));
      await introspect(send, { token }, true, turn % SLOW_EVERY === 0 ? SLOW_MS : 0);
      await introspect(send, { token: token.split('').toReversed().join('') }, false);
      if (turn % CLAIM_EVERY !== 0) return;
      const { token: once } = await issue('identifier');
      await introspect(send, { token: once, revoke: 'true' }, true);
      await introspect(send, { token: once }, false);
    },
  };
};
