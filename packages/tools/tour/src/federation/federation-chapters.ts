import { type Closers, freePort } from '@vestibule/local-services';
import { createEntityKey, type SmallFederation } from '@vestibule/testkit/federation';
import { checkActive } from '../clients/check-active.js';
import type { ResourceServer } from '../clients/introspect.js';
import { type BrowserTools, logInWithoutSession, logInWithSession } from '../clients/log-in.js';
import { startDemoApplication } from '../demo/demo-application.js';
import { metadataOf } from '../demo/demo-metadata.js';
import { relyingParty } from '../demo/relying-party.js';
import type { Stack } from '../stack/stack.js';
import { registerExplicitly } from './register-explicitly.js';
import { showExplanation } from './show-explanation.js';

/** Dependencies of the federation chapters. */
export interface FederationEnvironment extends BrowserTools {
  readonly server: ResourceServer;
}

/**
 * Relying parties that the provider does not know use a trusted federation: one with explicit registration, two with
 * automatic registration. Prints a notice instead if the stack does not trust the federation of the tour.
 * @throws TourError when a check fails
 */
export async function runFederationChapters(
  stack: Stack,
  environment: FederationEnvironment,
  toEnd: Closers,
): Promise<void> {
  const { reporter } = environment;
  const { federation } = stack;
  if (federation === undefined) return reporter.notice(NO_FEDERATION);
  const context: FederationContext = { stack, environment, federation, toEnd };

  reporter.chapter(
    'A library that the provider does not know registers through a federation (explicit registration)',
  );
  printFederation(context);
  const entityId = await registerLibrary(context);

  reporter.chapter(
    'A museum logs Alice in without registering first (automatic registration, signed request object)',
  );
  await logInUnregistered(context, { name: 'Museum', usesPar: false });

  reporter.chapter(
    'A theatre logs Alice in without registering first (automatic registration, pushed authorization request)',
  );
  await logInUnregistered(context, { name: 'Theatre', usesPar: true });

  reporter.chapter('The operator looks up why the library was accepted');
  await showExplanation(stack, environment, { entityId, names: namesOf(federation, entityId) });
}

const NO_FEDERATION =
  '\nThe federation chapters are skipped, because this stack was not started by the tour and does not trust its test federation.';

interface FederationContext {
  readonly stack: Stack;
  readonly environment: FederationEnvironment;
  readonly federation: SmallFederation;
  readonly toEnd: Closers;
}

function printFederation({ environment: { reporter }, federation }: FederationContext): void {
  const { anchor, intermediates } = federation;
  const [first, second] = intermediates;
  reporter.note(
    `  The provider trusts the keys of the trust anchor ${anchor.id}. Its subordinates are the intermediates ${first.id} and ${second.id}.`,
  );
}

function namesOf({ anchor, intermediates }: SmallFederation, library: string): ReadonlyMap<string, string> {
  const [first, second] = intermediates;
  return new Map([
    [library, 'the library'],
    [first.id, 'the first intermediate'],
    [second.id, 'the second intermediate'],
    [anchor.id, 'the trust anchor'],
  ]);
}

/** Registers the library, logs Alice in and introspects the token. @returns the entity identifier */
async function registerLibrary({
  stack,
  environment,
  federation,
  toEnd,
}: FederationContext): Promise<string> {
  const { reporter, server } = environment;
  const application = await startDemoApplication('Library', await freePort(), { reporter, toEnd });
  const { entityId, client } = await registerExplicitly(
    { stack, reporter, federation },
    metadataOf(application, true),
  );
  const { name, redirectUri } = application;
  const party = await relyingParty(
    stack.baseUrl,
    { name, redirectUri, id: client.id, proof: client },
    reporter,
  );
  application.connect(party);
  const { access_token: token } = await logInWithoutSession(environment, application);
  await checkActive(reporter, server, { client: { name, id: client.id }, token });
  return entityId;
}

interface UnregisteredParty {
  readonly name: string;
  readonly usesPar: boolean;
}

/** Alice logs in to an entity that the provider does not know. */
async function logInUnregistered(
  context: FederationContext,
  { name, usesPar }: UnregisteredParty,
): Promise<void> {
  const { stack, environment, federation, toEnd } = context;
  const { reporter, server } = environment;
  const application = await startDemoApplication(name, await freePort(), { reporter, toEnd });
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
  reporter.note(`  ${name} is the entity ${id}, which is also its client identifier.`);
  const client = { name, id, redirectUri: application.redirectUri, proof: { ...key, usesPar } };
  application.connect(await relyingParty(stack.baseUrl, client, reporter));
  const tokens = await logInWithSession(environment, application, { isConsentRequired: true });
  await checkActive(reporter, server, { client, token: tokens.access_token });
}
