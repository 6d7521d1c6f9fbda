import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';
import { insufficientScope, MISSING_TOKEN, send } from '../support/calls.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SAML_BEARER = 'urn:ietf:params:oauth:grant-type:saml2-bearer';
const GRANTS = [
  'authorization_code',
  'implicit',
  'refresh_token',
  'password',
  'client_credentials',
  JWT_BEARER,
  SAML_BEARER,
];
const OPEN_GRANTS = GRANTS.slice(0, 3);

/** The privileged parameters, with the words that name a refused one. */
const EXTRAS = {
  nothing: { member: {}, words: '' },
  scope: { member: { scope: 'openid' }, words: 'these scope values' },
  data: { member: { data: { a: 1 } }, words: 'data' },
  'set-id': { member: { preferred_client_id: 'imported' }, words: 'a preferred client identifier' },
  'set-secret': { member: { preferred_client_secret: 's'.repeat(32) }, words: 'a preferred client secret' },
} as const;

type Extra = keyof typeof EXTRAS;

/**
 * The table of registration/API.md#scopes: what each scope value permits; a value that is not listed permits nothing.
 */
const PERMITS: Readonly<Record<string, { grants?: readonly string[]; extras?: readonly Extra[] }>> = {
  'client-reg': { grants: GRANTS, extras: ['scope', 'data', 'set-id', 'set-secret'] },
  'client-reg:grant:code': { grants: ['authorization_code'] },
  'client-reg:grant:implicit': { grants: ['implicit'] },
  'client-reg:grant:refresh': { grants: ['refresh_token'] },
  'client-reg:grant:password': { grants: ['password'] },
  'client-reg:grant:client': { grants: ['client_credentials'] },
  'client-reg:grant:jwt': { grants: [JWT_BEARER] },
  'client-reg:grant:saml': { grants: [SAML_BEARER] },
  'client-reg:scope': { extras: ['scope'] },
  'client-reg:scope:openid': { extras: ['scope'] },
  'client-reg:scope:open': {},
  'client-reg:scope:openid2': {},
  'client-reg:data': { extras: ['data'] },
  'client-reg:set-id': { extras: ['set-id'] },
  'client-reg:set-secret': { extras: ['set-secret'] },
  'client-reg:grant:code client-reg:scope:openid client-reg:data': {
    grants: ['authorization_code'],
    extras: ['scope', 'data'],
  },
  // Together with a valid scope value, none of these similar values adds another one.
  'client-reg:grant:jwt client-reg:grant:codex client-reg:grant Client-Reg client-reg: client-reg:scope: client-reg:grant:password2':
    { grants: [JWT_BEARER] },
};

/** One registration of every grant with every privileged parameter. */
const COMBINATIONS = GRANTS.flatMap((grant) =>
  Object.entries(EXTRAS).map(([name, { member, words }]) => ({ grant, name, member, words })),
);

it.each(['managed', 'open'])(
  'grants exactly the table, for every grant and parameter (%s mode)',
  async (mode) => {
    const isOpen = mode === 'open';
    const { app, initialToken, usesLeft } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: String(isOpen) });
    for (const [index, [scope, permitted]] of Object.entries(PERMITS).entries()) {
      const token = await initialToken(scope, { usesLeft: 1_000 });
      let successes = 0;
      for (const { grant, name, member, words } of COMBINATIONS) {
        const body = aBody(grant, member, `${index}-${GRANTS.indexOf(grant)}`);
        const response = await send(app, 'POST /clients', { token, body });
        const lacking = lackingRight({ isOpen, ...permitted }, { grant, name, words });
        expect(response, `${scope}: ${grant} with ${name}`).toMatchObject(responseTo(lacking));
        successes += lacking === undefined ? 1 : 0;
      }
      expect(await usesLeft(token), scope).toBe(1_000 - successes);
    }
  },
);

it('grants nothing without a token in managed mode, and only three grants in open mode', async () => {
  for (const isOpen of [false, true]) {
    const { app } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: String(isOpen) });
    for (const { grant, name, member } of COMBINATIONS) {
      const response = await send(app, 'POST /clients', { body: aBody(grant, member, 'x') });
      const isFree = isOpen && OPEN_GRANTS.includes(grant) && name === 'nothing';
      expect(response, `${grant} with ${name}`).toMatchObject(isFree ? { status: 200 } : MISSING_TOKEN);
    }
  }
});

type Permitted = (typeof PERMITS)[string];

/** What a registration lacks by the table, in the words of the response; `undefined` if it lacks nothing. */
function lackingRight(
  { isOpen, grants = [], extras = [] }: Permitted & { isOpen: boolean },
  { grant, name, words }: { grant: string; name: string; words: string },
): string | undefined {
  if (!grants.includes(grant) && !(isOpen && OPEN_GRANTS.includes(grant))) return 'these grant types';
  return name === 'nothing' || extras.some((extra) => extra === name) ? undefined : words;
}

function responseTo(lacking: string | undefined) {
  if (lacking === undefined) return { status: 200 };
  return insufficientScope(`The access token does not permit registering ${lacking}.`);
}

function aBody(grant: string, member: Readonly<Record<string, unknown>>, name: string) {
  return {
    grant_types: [grant],
    redirect_uris: ['https://app.example/cb'],
    token_endpoint_auth_method: 'client_secret_basic',
    ...member,
    ...('preferred_client_id' in member && { preferred_client_id: `imported-${name}` }),
  };
}
