import { type Closers, freePort } from '@vestibule/local-services';
import { createEntityKey, type SmallFederation } from '@vestibule/testkit/federation';
import { startDemoApplication } from '../demo/demo-application.js';
import { metadataOf } from '../demo/demo-metadata.js';
import { relyingParty } from '../demo/relying-party.js';
import type { Stack } from '../stack/stack.js';
import type { ResourceServer } from '../story/introspect.js';
import { logInAfresh, logInWithSession, type Watched } from '../story/log-in.js';
import { seeAlive } from '../story/see-alive.js';
import { registerExplicitly } from './register-explicitly.js';
import { showExplanation } from './show-explanation.js';

/** What the federation chapters need. */
export interface FederationStage extends Watched {
  readonly server: ResourceServer;
}

/**
 * Unknown relying parties use a trusted federation: one registers explicitly, the others sign users in directly.
 * Without a trusted federation of the tour, prints a notice instead.
 * @throws TourError when a check fails
 */
export async function tellFederationStory(
  stack: Stack,
  stage: FederationStage,
  toEnd: Closers,
): Promise<void> {
  const { narrator } = stage;
  const { federation } = stack;
  if (federation === undefined) return narrator.notice(NO_FEDERATION);
  const cast: FederationCast = { stack, stage, federation, toEnd };

  narrator.chapter('A library that the provider has never heard of registers through a federation');
  introduce(cast);
  const entityId = await tellOfRegistration(cast);

  narrator.chapter('A museum logs people in without any registration: it signs its requests');
  await tellOfAutomatic(cast, { name: 'Museum', isPushing: false });

  narrator.chapter('A theatre does so too: it pushes its requests');
  await tellOfAutomatic(cast, { name: 'Theatre', isPushing: true });

  narrator.chapter('The operator asks why the library was let in');
  await showExplanation(stack, stage, { entityId, names: namesOf(federation, entityId) });
}

const NO_FEDERATION =
  '\nThis stack ran before the tour and cannot trust the small federation that the tour would start: the chapters about federation are left out.';

interface FederationCast {
  readonly stack: Stack;
  readonly stage: FederationStage;
  readonly federation: SmallFederation;
  readonly toEnd: Closers;
}

function introduce({ stage: { narrator }, federation }: FederationCast): void {
  const { anchor, intermediates } = federation;
  const [north, south] = intermediates;
  narrator.say(
    `  ${anchor.id} is the trust anchor, whose keys the provider has; it vouches for ${north.id} and ${south.id}.`,
  );
}

function namesOf({ anchor, intermediates }: SmallFederation, library: string): ReadonlyMap<string, string> {
  const [north, south] = intermediates;
  return new Map([
    [library, 'the library'],
    [north.id, 'the first intermediate'],
    [south.id, 'the second intermediate'],
    [anchor.id, 'the trust anchor'],
  ]);
}

/** Registers, signs alice in and has the resource server introspect the token. @returns the entity identifier */
async function tellOfRegistration({ stack, stage, federation, toEnd }: FederationCast): Promise<string> {
  const { narrator, server } = stage;
  const application = await startDemoApplication('Library', await freePort(), { narrator, toEnd });
  const { entityId, client } = await registerExplicitly(
    { stack, narrator, federation },
    metadataOf(application, true),
  );
  const { name, redirectUri } = application;
  const party = await relyingParty(
    stack.baseUrl,
    { name, redirectUri, id: client.id, proof: client },
    narrator,
  );
  application.connect(party);
  const { access_token: token } = await logInAfresh(stage, application);
  await seeAlive(narrator, server, { client: { name, id: client.id }, token });
  return entityId;
}

interface Stranger {
  readonly name: string;
  readonly isPushing: boolean;
}

/** An entity unknown to the provider signs a user in. */
async function tellOfAutomatic(cast: FederationCast, { name, isPushing }: Stranger): Promise<void> {
  const { stack, stage, federation, toEnd } = cast;
  const { narrator, server } = stage;
  const application = await startDemoApplication(name, await freePort(), { narrator, toEnd });
  const key = await createEntityKey();
  const { id } = await federation.relyingParty({
    metadata: {
      ...metadataOf(application, true),
      client_registration_types: ['automatic'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: key.algorithm,
      jwks: { keys: [key.publicJwk] },
    },
  });
  narrator.say(`  ${name} is the entity ${id}, and that is its client identifier.`);
  const client = { name, id, redirectUri: application.redirectUri, proof: { ...key, isPushing } };
  application.connect(await relyingParty(stack.baseUrl, client, narrator));
  const tokens = await logInWithSession(stage, application, { isConsentDue: true });
  await seeAlive(narrator, server, { client, token: tokens.access_token });
}
