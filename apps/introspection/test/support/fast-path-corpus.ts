import { assertionForm, assertionOf, bearerProof, certificateHeaders, registerCaller } from './callers.js';
import { basic } from './introspection-call.js';
import { chunked, PATH, PROBE, type RequestParts, rawRequest } from './raw-requests.js';
import { SECRET, type TestService } from './test-service.js';
import { type Conversation, expectSame, expectSameCounts, type TwoDoors, twoDoors } from './two-doors.js';

/** A conversation by name. What can be used only once is made anew for each instance. */
export type Case = readonly [name: string, make: () => Conversation | Promise<Conversation>];

/** The tokens of the tests by kind. */
export type Tokens = Awaited<ReturnType<typeof issueTokens>>;

/** Issues a token of every kind, and registers the callers. */
export async function issueTokens(service: TestService) {
  const { register, identifier, jwt, clock } = service;
  await register('rs2');
  await register('other', { scope: 'read' });
  await register('post', { token_endpoint_auth_method: 'client_secret_post' });
  await registerCaller(service, 'keys', 'private_key_jwt');
  await registerCaller(service, 'tls', 'self_signed_tls_client_auth');
  const ended = await identifier({ lifetimeSeconds: 5 });
  const tokens = {
    hot: await identifier(),
    mine: await identifier({ audience: ['rs1'] }),
    both: await identifier({ audience: ['rs1', 'rs2'] }),
    foreign: await identifier({ audience: ['rs2'] }),
    beyondAscii: await identifier({ subject: 'älice', username: '艾丽斯' }),
    bound: await identifier({ confirmation: { jkt: 'x'.repeat(43) } }),
    jwt: await jwt(),
    foreignJwt: await jwt({ audience: ['rs2'] }),
    ended,
    unknown: 'x'.repeat(43),
    malformed: 'x',
    tooLong: 'y'.repeat(9_000),
  };
  return { tokens, access: await bearerProof(service, 'rs1'), endTokens: () => clock.advanceSeconds(6) };
}

const FORM = 'application/x-www-form-urlencoded';

/** `Accept` values: absent, usual, preferred by quality, unacceptable, malformed. */
export const ACCEPTS: readonly (string | readonly string[] | undefined)[] = [
  undefined,
  '*/*',
  'application/json',
  'application/json, text/plain, */*',
  'application/json;q=0.5, application/jwt;q=0.9',
  'application/token-introspection+jwt',
  'application/jwt',
  'application/*',
  'text/html',
  'application/json;q=0',
  'application/jwt;q=0, application/json',
  '',
  ',',
  ';q=1',
  ['application/json', 'application/jwt'],
  ['application/token-introspection+jwt', 'application/json;q=0.1'],
];

/** `Content-Type` values of forms and of other bodies. */
export const TYPES: readonly (string | undefined)[] = [
  FORM,
  FORM.toUpperCase(),
  `${FORM};charset=UTF-8`,
  `${FORM}; charset="utf-8"`,
  `${FORM};;;`,
  `${FORM};charset=utf-16`,
  `${FORM}; boundary=x`,
  `${FORM}-x`,
  'application/json',
  'garbage',
  '',
  undefined,
];

/** Headers that are usual or odd, and none that the parser of Node refuses. */
export const EXTRA_HEADERS: readonly NonNullable<RequestParts['headers']>[] = [
  { Connection: 'keep-alive' },
  { Connection: 'close' },
  { Connection: 'Keep-Alive, TE', TE: 'trailers' },
  { Expect: '100-continue' },
  { Expect: 'more' },
  { Prefer: 'cache-tags' },
  { 'Content-Encoding': 'identity' },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': ['identity', 'identity'] },
  { 'Accept-Version': '1.0.0' },
  { 'X-Forwarded-For': '10.0.0.1', 'X-Forwarded-Proto': 'https' },
  { Origin: 'https://app.example' },
  { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  { Host: undefined },
  { Host: ['as.example', 'as.example'] },
  { Authorization: [basic(), basic()] },
  { 'Content-Type': [FORM, FORM] },
  { Upgrade: 'h2c', Connection: 'Upgrade, close' },
  { Trailer: 'X-A' },
  { 'Proxy-Connection': 'keep-alive' },
  { DPoP: 'x' },
  { Cookie: 'a=b' },
  certificateHeaders(),
];

/**
 * Expects that two instances, the second without the fast path, respond to the corpus alike and count the same, with empty
 * caches and with full ones.
 * @returns the instances
 */
export async function expectSameForCorpus(
  environment: Readonly<Record<string, string>>,
): Promise<TwoDoors['doors']> {
  const { service, doors } = await twoDoors({ environment });
  const cases = await corpus(service);
  for (let round = 0; round < 2; round += 1)
    for (const [name, make] of cases) {
      await expectSame(doors, name, make);
      await expectSameCounts(doors, name);
    }
  return doors;
}

/** Requests of every kind, hostile ones included. */
async function corpus(service: TestService): Promise<readonly Case[]> {
  const { tokens, access, endTokens } = await issueTokens(service);
  const token = `token=${tokens.hot}`;
  const usual = rawRequest({ body: token });
  const one = (name: string, parts: RequestParts): Case => sent(name, rawRequest({ body: token, ...parts }));
  const forms: readonly string[] = [
    ...Object.values(tokens).map((value) => `token=${value}`),
    `${token}&token_type_hint=access_token`,
    `token_type_hint=refresh_token&${token}`,
    `${token}&revoke=`,
    `${token}&revoke=false`,
    `${token}&revoke=maybe`,
    `token=${tokens.jwt}&revoke=true`,
    `token=${tokens.foreign}&revoke=true`,
    `&&${token}&`,
    `token=${tokens.hot.slice(0, 5)}%${tokens.hot.charCodeAt(5).toString(16)}${tokens.hot.slice(6)}`,
    `${token}&client_id=rs1`,
    `${token}&client_id=rs2`,
    `${token}&client_secret=${SECRET}`,
    `${token}&client_assertion=a.b.c`,
    `${token}&${token}`,
    `${token}&a=%zz`,
    `${token}&a=%00`,
    `${token}&a=\xe9`,
    `${token}&x=`.padEnd(16_384, 'y'),
    `${token}&x=`.padEnd(16_385, 'y'),
    [token, ...Array.from({ length: 20 }, (_, index) => `x${index}=y`)].join('&'),
    'token=',
    'a=b',
    '__proto__=a&constructor=b',
    '=',
  ];
  const post = { Authorization: undefined };
  const credentials: readonly (readonly [string, RequestParts])[] = [
    ['none', { headers: post }],
    ['another caller', { headers: { Authorization: basic('rs2') } }],
    ['a wrong secret', { headers: { Authorization: basic('rs1', 'wrong') } }],
    ['an unknown client', { headers: { Authorization: basic('unknown') } }],
    ['a client without the scope', { headers: { Authorization: basic('other') } }],
    ['a scheme in lower case', { headers: { Authorization: basic().replace('Basic', 'basic') } }],
    ['an access token', { headers: { Authorization: access.authorization } }],
    ['an unknown access token', { headers: { Authorization: `Bearer ${tokens.unknown}` } }],
    ['a secret in the form', { headers: post, body: `${token}&client_id=post&client_secret=${SECRET}` }],
    ['a wrong one in the form', { headers: post, body: `${token}&client_id=post&client_secret=x` }],
    ['a certificate', { headers: { ...post, ...certificateHeaders() }, body: `${token}&client_id=tls` }],
  ];
  const targets = [
    `${PATH}?`,
    `${PATH}?a=b`,
    `${PATH}?token=a`,
    `${PATH}?a&a`,
    `${PATH}/`,
    `${PATH}#a`,
    '/token/%69ntrospect',
    '//token/introspect',
    `http://as.example${PATH}`,
    `http://other.example${PATH}`,
    '/%zz',
    '*',
  ];
  const lengths: readonly (readonly [string, RequestParts])[] = [
    ['no length', { headers: { 'Content-Length': undefined } }],
    ['no length and no type', { headers: { 'Content-Length': undefined, 'Content-Type': undefined } }],
    ['a length of 0', { body: '', headers: { 'Content-Length': '0' } }],
    ['leading zeros', { headers: { 'Content-Length': `00${token.length}` } }],
    ['a length that is too short', { headers: { 'Content-Length': String(token.length - 3) } }],
    ['two lengths', { headers: { 'Content-Length': [String(token.length), String(token.length)] } }],
    ['a length with a sign', { headers: { 'Content-Length': `+${token.length}` } }],
    ['chunks', { body: chunked(token), headers: CHUNKS }],
    ['chunks and a length', { body: chunked(token), headers: { 'Transfer-Encoding': 'chunked' } }],
    ['bad chunks', { body: `zz\r\n${token}`, headers: CHUNKS }],
    [
      'another coding',
      { body: chunked(token), headers: { ...CHUNKS, 'Transfer-Encoding': 'gzip, chunked' } },
    ],
  ];
  const empty = rawRequest({});
  const refused = rawRequest({ body: token, headers: { Host: ['a', 'a'] } });
  const slow = rawRequest({ body: `token=${'z'.repeat(43)}` });
  const middle = usual.length - 20;
  const headOnly = usual.slice(0, -token.length);
  const unread: readonly (readonly [string, Conversation])[] = [
    ['a body in a piece of its own', { pieces: [headOnly, token + PROBE] }],
    ['a body in two pieces', { pieces: [usual.slice(0, middle), usual.slice(middle) + PROBE] }],
    ['single bytes', { pieces: [...usual, PROBE] }],
    ['a head that ends there', { pieces: [headOnly], isCut: true }],
    ['a body that ends half-way', { pieces: [usual.slice(0, middle)], isCut: true }],
    ['a body that ends half-way, in pieces', { pieces: [headOnly, token.slice(0, 9)], isCut: true }],
    ['a head that ends half-way', { pieces: [usual.slice(0, 70)], isCut: true }],
    ['a client that closes its side', { pieces: [usual], isCut: true }],
    ['two requests and a closed side', { pieces: [usual + usual], isCut: true }],
    ['garbage after it', { pieces: [`${usual}garbage\r\n\r\n`] }],
    ['garbage after two', { pieces: [`${usual + usual}\0\0\r\n\r\n`] }],
    ['garbage after an empty body', { pieces: [`${refused}${usual}${empty}garbage\r\n\r\n`] }],
    ['garbage later', { pieces: [usual, 'garbage\r\n\r\n'], isInTurn: true }],
    ['blank lines before', { pieces: [`\r\n\r\n${usual}\r\n${usual}${PROBE}`] }],
    ['bare line feeds', { pieces: [usual.replaceAll('\r', '') + PROBE] }],
    ['a folded header', { pieces: [usual.replace('Host:', 'X-A: b\r\n c\r\nHost:') + PROBE] }],
    ['a large head', { pieces: [usual.replace('Host:', `X-A: ${'a'.repeat(20_000)}\r\nHost:`) + PROBE] }],
    ['64 at once', { pieces: [usual.repeat(63) + PROBE] }],
    ['65 at once', { pieces: [usual.repeat(64) + PROBE] }],
    ['500 at once', { pieces: [usual.repeat(499) + PROBE] }],
    ['70 behind a slow one', { pieces: [slow + usual.repeat(70)] }],
    ['a slow one between', { pieces: [usual + slow + usual + PROBE] }],
    ['another method between', { pieces: [usual + rawRequest({ method: 'GET' }) + usual + PROBE] }],
    ['nothing', { pieces: [], isCut: true }],
  ];
  const assertion: Case = [
    'a client assertion',
    async () => {
      const form = new URLSearchParams(assertionForm(await assertionOf(service, 'keys')));
      return { pieces: [rawRequest({ headers: post, body: `${token}&${form}` }) + PROBE] };
    },
  ];
  return [
    ['the usual request', () => ({ pieces: [usual + PROBE] })],
    ...forms.map((body, index) => one(`form ${index}: ${body.slice(0, 60)}`, { body })),
    ...credentials.map(([name, parts]) => one(`credentials: ${name}`, parts)),
    ...ACCEPTS.map((accept) => one(`Accept: ${accept}`, { headers: { Accept: accept } })),
    ...TYPES.map((type) => one(`Content-Type: ${type}`, { headers: { 'Content-Type': type } })),
    ...EXTRA_HEADERS.map((headers) => one(JSON.stringify(headers), { headers })),
    ...targets.map((target) => one(`target ${target}`, { target })),
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'BREW', 'post'].map((method) => one(method, { method })),
    ...['1.0', '0.9', '2.0', '9'].map((version) => one(`HTTP/${version}`, { version })),
    one('HTTP/1.0 that stays open', { version: '1.0', headers: { Connection: 'keep-alive' } }),
    ...lengths.map(([name, parts]) => one(name, parts)),
    ...unread.map(([name, conversation]): Case => [name, () => conversation]),
    assertion,
    ['a token to consume', async () => consuming(await service.identifier())],
    ['a cached token to consume', async () => consuming(await service.identifier(), ASK)],
    [
      'a token that has ended, cached',
      () => {
        endTokens();
        return { pieces: [rawRequest({ body: `token=${tokens.ended}` }) + PROBE] };
      },
    ],
  ];
}

const CHUNKS = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };

function sent(name: string, request: string): Case {
  return [name, () => ({ pieces: [request + PROBE] })];
}

const ASK = '';

/** Consumes a token, and asks about it before and after that. */
function consuming(token: string, ...before: readonly string[]): Conversation {
  const pieces = [...before, '&revoke=true', ASK].map((revoke) =>
    rawRequest({ body: `token=${token}${revoke}` }),
  );
  return { pieces: [...pieces, PROBE], isInTurn: true };
}
