import { type ClientId, nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { bearerProof, METHODS, type Proof, proofOf, registerCaller } from '../support/callers.js';
import { call, HEADERS, INACTIVE, JSON_HEADERS, type Seen } from '../support/introspection-call.js';
import { ACCEPT, openResponse } from '../support/signed-response.js';
import { aTestService, ISSUER, type TestService } from '../support/test-service.js';

const FORMATS = ['json', 'jwt', 'legacy-jwt'] as const;
type Format = (typeof FORMATS)[number];

/** The callers: a resource server, and the client to which the token was issued. */
const CALLERS = ['rs', 'owner'] as const;

/** Audiences of a token; `caller` stands for the caller. */
const AUDIENCES: readonly (readonly string[])[] = [
  [],
  ['caller'],
  ['other'],
  ['rs'],
  ['owner'],
  ['owner', 'rs'],
  ['other', 'caller'],
  [`${ISSUER}/token/introspect`],
];

/** Reads a response of any format, and checks its format. */
async function read(service: TestService, format: Format, seen: Seen, caller: string) {
  if (format === 'json') {
    expect(seen.headers).toEqual(JSON_HEADERS);
    return JSON.parse(seen.body);
  }
  expect(seen.headers).toEqual({ ...HEADERS, 'content-type': ACCEPT[format] });
  const { claims } = await openResponse(service, seen.body);
  const { iss, aud, iat, jti, ...rest } = claims;
  expect({ iss, aud, iat }).toEqual({ iss: ISSUER, aud: caller, iat: nowSeconds(service.clock) });
  if (format === 'legacy-jwt') expect(typeof jti).toBe('string');
  return format === 'jwt' ? rest['token_introspection'] : rest;
}

type Prove = (id: string) => Promise<Proof>;

/** A cell of the matrix. */
interface Cell {
  readonly caller: (typeof CALLERS)[number];
  readonly audience: readonly string[];
  readonly kind: 'identifier' | 'jwt';
  readonly format: Format;
}

const CELLS: readonly Cell[] = CALLERS.flatMap((caller) =>
  AUDIENCES.flatMap((template) =>
    (['identifier', 'jwt'] as const).flatMap((kind) =>
      FORMATS.map((format) => {
        const audience = template.map((name) => (name === 'caller' ? caller : name));
        return { caller, audience, kind, format };
      }),
    ),
  ),
);

async function responseTo(service: TestService, prove: Prove, cell: Cell): Promise<Seen> {
  const token = await service[cell.kind]({ clientId: 'owner' as ClientId, audience: cell.audience });
  const { authorization, form, headers } = await prove(cell.caller);
  const accept = cell.format === 'json' ? {} : { accept: ACCEPT[cell.format] };
  return call(service.app, { token, ...form }, { authorization, headers: { ...headers, ...accept } });
}

async function expectRightResponse(service: TestService, seen: Seen, cell: Cell): Promise<void> {
  const { caller, audience, format } = cell;
  const name = JSON.stringify(cell);
  expect(seen.status, name).toBe(200);
  const members = await read(service, format, seen, caller);
  if (audience.length > 0 && !audience.includes(caller)) {
    expect(members, name).toEqual({ active: false });
    if (format === 'json') expect(seen, name).toEqual(INACTIVE);
    return;
  }
  expect(members, name).toMatchObject({ active: true, client_id: 'owner', sub: 'alice' });
  // In the legacy form this is the audience of the response itself.
  const shown = audience.length === 0 || format === 'legacy-jwt' ? undefined : [caller];
  expect(members.aud, name).toEqual(shown);
}

it.each([...METHODS, 'bearer'] as const)(
  'is active for callers in the audience only, with %s, in every format',
  async (method) => {
    const service = await aTestService();
    const registered = method === 'bearer' ? 'client_secret_basic' : method;
    for (const id of CALLERS) await registerCaller(service, id, registered);
    const prove: Prove = (id) =>
      method === 'bearer' ? bearerProof(service, id) : proofOf(service, id, method);
    for (const cell of CELLS)
      await expectRightResponse(service, await responseTo(service, prove, cell), cell);
  },
);
