import { ACCEPTS, EXTRA_HEADERS, issueTokens, TYPES } from './fast-path-corpus.js';
import { basic } from './introspection-call.js';
import { randomChoice } from './random-choice.js';
import { chunked, PATH, PROBE, type RequestParts, rawRequest } from './raw-requests.js';
import { SECRET, type TestService } from './test-service.js';
import { type Conversation, expectSame, expectSameCounts, type TwoDoors, twoDoors } from './two-doors.js';

/** Random conversations; equal seeds give equal ones. */
interface RandomConversations {
  /** Requests that fill the caches. Concurrent first requests would be counted as chance orders them. */
  readonly first: readonly Conversation[];
  /** Makes a conversation of one to four requests. */
  readonly next: () => Conversation;
}

/** Conversations between two comparisons of what was counted. */
const COUNT_EVERY = 100;

/**
 * Expects that two instances, the second without the fast path, respond to random requests alike and count the same.
 * @returns the instances
 */
export async function expectSameForRandomRequests({
  seed,
  requests,
}: {
  readonly seed: number;
  readonly requests: number;
}): Promise<TwoDoors['doors']> {
  const { service, doors } = await twoDoors();
  const { first, next } = await randomConversations(service, seed);
  const [, slow] = doors;
  for (const conversation of first) await expectSame(doors, `seed ${seed}`, () => conversation);
  for (let index = 1; slow.routed() < requests; index += 1) {
    const conversation = next();
    const name = `seed ${seed}, conversation ${index}: ${JSON.stringify(conversation).slice(0, 2_000)}`;
    await expectSame(doors, name, () => conversation);
    if (index % COUNT_EVERY === 0) await expectSameCounts(doors, name);
  }
  await expectSameCounts(doors, `seed ${seed}`);
  return doors;
}

/** Creates a source of random conversations about tokens of every kind, most of them nearly usual. */
async function randomConversations(service: TestService, seed: number): Promise<RandomConversations> {
  const { tokens, access } = await issueTokens(service);
  const { below, chance, oneOf } = randomChoice(seed);

  const form = () => {
    const parameters = [`token=${chance(60) ? tokens.hot : oneOf(Object.values(tokens))}`];
    while (chance(25)) parameters.splice(below(parameters.length + 1), 0, oneOf(PARAMETERS));
    const text = parameters.join('&');
    return chance(3) ? text.padEnd(16_384 + below(3) - 1, '&') : text;
  };
  const credential = () =>
    chance(80)
      ? basic()
      : oneOf([
          undefined,
          basic('rs2'),
          basic('rs1', 'wrong'),
          basic('other'),
          access.authorization,
          'Basic',
        ]);
  const framing = (body: string): RequestParts => {
    if (chance(92)) return { body };
    const lengths = [`0${body.length}`, `+${body.length}`, String(body.length - 2), '0', undefined];
    const headers = { 'Content-Length': oneOf(lengths) };
    const chunks = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
    return chance(50) ? { body, headers } : { body: chunked(body), headers: chunks };
  };
  const request = () => {
    const framed = framing(form());
    const headers = {
      Authorization: credential(),
      ...(chance(30) && { 'Content-Type': oneOf(TYPES) }),
      ...(chance(50) && { Accept: oneOf(ACCEPTS) }),
      ...(chance(20) && oneOf(EXTRA_HEADERS)),
      ...framed.headers,
    };
    return rawRequest({
      ...framed,
      headers,
      ...(chance(5) && { method: oneOf(['GET', 'HEAD', 'PUT', 'OPTIONS', 'BREW']) }),
      ...(chance(5) && { target: oneOf([`${PATH}?a=b`, `${PATH}/`, `http://a${PATH}`, '/%zz', '/']) }),
      ...(chance(5) && { version: '1.0' }),
    });
  };
  const usual = () => rawRequest({ body: `token=${tokens.hot}` });

  const next = (): Conversation => {
    const kind = below(100);
    if (kind < 5) {
      const text = usual();
      const pieces = split(text.slice(0, chance(50) ? text.length : below(text.length)), 2, below);
      return { pieces, isCut: true };
    }
    if (kind < 25) return { pieces: split(usual().repeat(1 + below(4)), below(5), below).concat(PROBE) };
    // Whether the server closes the connection before or after it receives a further request would be chance, and so would be
    // whether it responds before it receives the two characters that a length may leave out.
    if (kind < 50) {
      const text = request();
      const pieces = split(text.slice(0, -3), 1 + below(4), below);
      return { pieces: [...pieces, text.slice(-3) + PROBE] };
    }
    const requests = Array.from({ length: 1 + below(4) }, () => (chance(40) ? usual() : request()));
    if (chance(5)) requests.push('garbage\r\n\r\n');
    return { pieces: [requests.join('') + PROBE] };
  };
  const callers = [basic(), basic('rs2'), access.authorization];
  const first = callers.flatMap((Authorization) =>
    Object.values(tokens).map((token) => rawRequest({ body: `token=${token}`, headers: { Authorization } })),
  );
  return { first: first.map((request) => ({ pieces: [request + PROBE] })), next };
}

const PARAMETERS = [
  'token_type_hint=access_token',
  'revoke=false',
  'revoke=',
  'revoke=maybe',
  'client_id=rs1',
  'client_id=rs2',
  `client_secret=${SECRET}`,
  'client_assertion=a.b.c',
  'token=x',
  'a=%20+b',
  'a=%zz',
  '',
];

/** Splits a text at random places. */
function split(text: string, cuts: number, below: (limit: number) => number): readonly string[] {
  const places = Array.from({ length: cuts }, () => below(text.length + 1)).toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => text.slice(from, places[index])).filter((piece) => piece !== '');
}
