import type { FederationEntity, MemberChanges, SmallFederation } from '@vestibule/testkit/federation';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { member, text } from '../clients/register.js';
import { printedFetch } from '../print/printed-fetch.js';
import type { Reporter } from '../print/reporter.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';

/** A relying party that has registered. */
export interface RegisteredEntity {
  readonly entityId: string;
  readonly client: { readonly id: string; readonly secret: string };
}

/** Dependencies of a registration. */
export interface RegistrationContext {
  readonly stack: Stack;
  readonly reporter: Reporter;
  readonly federation: SmallFederation;
}

/** The metadata policy of the first intermediate adds this contact. */
const CONTACT = 'helpdesk@federation.example';

/**
 * Registers a relying party as in OpenID Federation 1.0 section 12.2: it posts its entity configuration and verifies
 * the signed statement in the response.
 * @throws TourError
 */
export async function registerExplicitly(
  context: RegistrationContext,
  metadata: MemberChanges,
): Promise<RegisteredEntity> {
  const { stack, reporter, federation } = context;
  const entity = await openEntity(federation, metadata);
  const name = String(metadata['client_name']);
  const statement = await federation.registrationRequest(entity, stack.baseUrl);
  reporter.document(
    `${name} sends its entity configuration, signed with its own key, with these claims:`,
    decodeJwt(statement),
  );
  const send = printedFetch(name, reporter);
  const response = await send(`${stack.baseUrl}/federation/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/entity-statement+jwt' },
    body: statement,
  });
  ensure(response.status === 200, `POST /federation/clients returned ${response.status}.`);
  const registration = await verified(context, { name, entity, statement: await response.text() });
  const client = member(member({ ...registration }, 'metadata'), 'openid_relying_party');
  ensure(registration['trust_anchor'] === federation.anchor.id, 'The provider used another trust anchor.');
  ensure(
    JSON.stringify(client['contacts']) === JSON.stringify([CONTACT]),
    'The registered metadata lacks the contact that the metadata policy adds.',
  );
  reporter.passed(
    'The provider signed the registration statement, used the expected trust anchor and applied the metadata policy of the superior.',
  );
  return {
    entityId: entity.id,
    client: { id: text(client, 'client_id'), secret: text(client, 'client_secret') },
  };
}

/**
 * An entity below both intermediates: the first adds a contact to its metadata, the second has a policy that no relying
 * party of the tour satisfies.
 */
async function openEntity(
  { relyingParty, intermediates }: SmallFederation,
  metadata: MemberChanges,
): Promise<FederationEntity> {
  const [first, second] = intermediates;
  const entity = await relyingParty({ metadata });
  first.vouchFor(entity, { metadata_policy: { openid_relying_party: { contacts: { add: [CONTACT] } } } });
  second.vouchFor(entity, {
    metadata_policy: { openid_relying_party: { redirect_uris: { one_of: ['https://unused.example/'] } } },
  });
  return entity;
}

interface Registration {
  readonly name: string;
  readonly entity: FederationEntity;
  readonly statement: string;
}

/** The claims of a registration statement, verified with the federation keys of the provider. */
async function verified(
  { stack: { baseUrl }, reporter }: RegistrationContext,
  { name, entity, statement }: Registration,
): Promise<JWTPayload> {
  const send = printedFetch(name, reporter);
  const configuration = await (await send(`${baseUrl}/.well-known/openid-federation`)).text();
  const { jwks } = decodeJwt<{ readonly jwks: JSONWebKeySet }>(configuration);
  const keys = createLocalJWKSet(jwks);
  await jwtVerify(configuration, keys, { issuer: baseUrl, subject: baseUrl, typ: 'entity-statement+jwt' });
  const { payload } = await jwtVerify(statement, keys, {
    issuer: baseUrl,
    subject: entity.id,
    audience: entity.id,
    typ: 'explicit-registration-response+jwt',
  });
  reporter.document('The registration statement in the response has these claims:', payload);
  return payload;
}
