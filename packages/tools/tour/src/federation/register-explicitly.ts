import type { FederationEntity, MemberChanges, SmallFederation } from '@vestibule/testkit/federation';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { Narrator } from '../print/narrator.js';
import { toldFetch } from '../print/told-fetch.js';
import type { Stack } from '../stack/stack.js';
import { member, text } from '../story/register.js';
import { ensure } from '../tour-error.js';

/** A relying party that has registered. */
export interface RegisteredEntity {
  readonly entityId: string;
  readonly client: { readonly id: string; readonly secret: string };
}

/** Where a relying party registers. */
export interface RegistrationPlace {
  readonly stack: Stack;
  readonly narrator: Narrator;
  readonly federation: SmallFederation;
}

/** The superior adds this to the metadata of its subordinates. */
const CONTACT = 'helpdesk@federation.example';

/**
 * Registers a relying party as in OpenID Federation 1.0 section 12.2: it posts its entity configuration and verifies
 * the signed statement in the response.
 * @throws TourError
 */
export async function registerExplicitly(
  place: RegistrationPlace,
  metadata: MemberChanges,
): Promise<RegisteredEntity> {
  const { stack, narrator, federation } = place;
  const entity = await openEntity(federation, metadata);
  const name = String(metadata['client_name']);
  const statement = await federation.registrationRequest(entity, stack.baseUrl);
  narrator.document(`${name} sends this entity statement, signed with its own key:`, decodeJwt(statement));
  const told = toldFetch(name, narrator);
  const response = await told(`${stack.baseUrl}/federation/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/entity-statement+jwt' },
    body: statement,
  });
  ensure(response.status === 200, `The federation registration was answered with ${response.status}.`);
  const answer = await verified(place, { name, entity, statement: await response.text() });
  const client = member(member({ ...answer }, 'metadata'), 'openid_relying_party');
  ensure(answer['trust_anchor'] === federation.anchor.id, 'The provider went by another trust anchor.');
  ensure(
    JSON.stringify(client['contacts']) === JSON.stringify([CONTACT]),
    'What the superior adds to the metadata is not registered.',
  );
  narrator.proved(
    'The provider signed the statement, goes by the trust anchor, and did as the superior wants.',
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
    metadata_policy: { openid_relying_party: { redirect_uris: { one_of: ['https://nobody.example/'] } } },
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
  { stack: { baseUrl }, narrator }: RegistrationPlace,
  { name, entity, statement }: Registration,
): Promise<JWTPayload> {
  const told = toldFetch(name, narrator);
  const configuration = await (await told(`${baseUrl}/.well-known/openid-federation`)).text();
  const { jwks } = decodeJwt<{ readonly jwks: JSONWebKeySet }>(configuration);
  const keys = createLocalJWKSet(jwks);
  await jwtVerify(configuration, keys, { issuer: baseUrl, subject: baseUrl, typ: 'entity-statement+jwt' });
  const { payload } = await jwtVerify(statement, keys, {
    issuer: baseUrl,
    subject: entity.id,
    audience: entity.id,
    typ: 'explicit-registration-response+jwt',
  });
  narrator.document('The registration statement that came back says:', payload);
  return payload;
}
