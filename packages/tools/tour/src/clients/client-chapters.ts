import { type Closers, freePort } from '@vestibule/local-services';
import { startDemoApplication } from '../demo/demo-application.js';
import { metadataOf } from '../demo/demo-metadata.js';
import { relyingParty, type Tokens } from '../demo/relying-party.js';
import { printedFetch } from '../print/printed-fetch.js';
import type { Reporter } from '../print/reporter.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';
import { checkActive } from './check-active.js';
import { deleteApplication } from './delete-application.js';
import { type ResourceServer, resourceServer } from './introspect.js';
import { type BrowserTools, logInByKeyboard, logInWithSession } from './log-in.js';
import { directToken, initialAccessToken, register, tryToRegister } from './register.js';
import type { RegisteredApplication } from './registered-application.js';

/** The two applications and the resource server of the tour. */
export interface Participants {
  readonly a: RegisteredApplication;
  readonly b: RegisteredApplication;
  readonly server: ResourceServer;
}

/**
 * The chapters about registration, login, introspection and revocation.
 * @returns the registered clients, for the following chapters
 * @throws TourError when a check fails
 */
export async function runClientChapters(
  stack: Stack,
  tools: BrowserTools,
  toEnd: Closers,
): Promise<Participants> {
  const { reporter } = tools;
  reporter.chapter('Two applications and a resource server register');
  const participants = await registerParticipants(stack, tools, toEnd);

  reporter.chapter('Alice logs in to A with the keyboard only');
  const atA = await logInByKeyboard(tools, participants.a.application);

  reporter.chapter('Alice logs in to B without entering her password again');
  const atB = await logInWithSession(tools, participants.b.application, { isConsentRequired: true });
  ensure(atA.claims()?.['sid'] !== atB.claims()?.['sid'], 'A and B got the same session identifier.');

  reporter.chapter('The resource server introspects both access tokens');
  await checkActive(reporter, participants.server, {
    client: participants.a.client,
    token: atA.access_token,
  });
  await checkActive(reporter, participants.server, {
    client: participants.b.client,
    token: atB.access_token,
  });

  reporter.chapter('A refreshes its tokens');
  const fresh = await participants.a.party.refresh(String(atA.refresh_token));
  ensure(fresh.access_token !== atA.access_token, 'The refresh returned the same access token.');
  await checkActive(reporter, participants.server, {
    client: participants.a.client,
    token: fresh.access_token,
  });

  await runRevocationChapters(tools, participants, { stack, atB });
  const audienceTokens = await runAudienceChapters(tools, participants, stack);
  await checkActive(reporter, participants.server, {
    client: participants.a.client,
    token: fresh.access_token,
  });

  reporter.chapter('A’s registration is deleted, and its tokens become inactive');
  const accessTokens = {
    'The identifier-based access token': fresh.access_token,
    ...audienceTokens.accessTokens,
  };
  await deleteApplication(tools, {
    registered: participants.a,
    server: participants.server,
    accessTokens,
    userInfoToken: fresh.access_token,
    refreshTokens: [fresh.refresh_token ?? atA.refresh_token, audienceTokens.refreshToken],
  });

  await runReturnChapter(tools, participants, { stack, accessTokens });
  return participants;
}

/** A is registered again under its identifier; its earlier tokens and consents stay invalid. */
async function runReturnChapter(
  tools: BrowserTools,
  participants: Participants,
  { stack, accessTokens }: { readonly stack: Stack; readonly accessTokens: Readonly<Record<string, string>> },
): Promise<void> {
  const { reporter } = tools;
  reporter.chapter('A is registered again under the same identifier; its earlier tokens stay inactive');
  await registerAgain(tools, participants, stack);
  await participants.server.checkInactive(accessTokens, performance.now());
  await logInWithSession(tools, participants.a.application, { isConsentRequired: true });
  reporter.passed('Alice’s earlier consent is deleted: the provider requests it again.');
}

/** B revokes tokens of both formats. */
async function runRevocationChapters(
  tools: BrowserTools,
  { b, server }: Participants,
  { stack, atB }: { readonly stack: Stack; readonly atB: Tokens },
): Promise<void> {
  const { reporter } = tools;
  reporter.chapter('B revokes its refresh token');
  await b.party.revoke(String(atB.refresh_token));
  await server.checkInactive({ 'The access token of B': atB.access_token }, performance.now());

  reporter.chapter('B gets a JWT access token and revokes it');
  const parameters = { resource: addressOf(stack, server) };
  const jwt = await logInWithSession(tools, b.application, { parameters, isConsentRequired: true });
  const token = jwt.access_token;
  await checkActive(reporter, server, { client: b.client, token, audience: server.client.id });
  await b.party.revoke(token);
  await server.checkInactive({ 'The JWT access token of B': token }, performance.now());
}

/** A gets tokens of both formats for a single resource server. */
async function runAudienceChapters(tools: BrowserTools, { a, server }: Participants, stack: Stack) {
  const { reporter } = tools;
  const { client } = a;
  const audience = server.client.id;
  reporter.chapter('A gets a JWT access token for this resource server only');
  const parameters = { resource: addressOf(stack, server) };
  const jwt = await logInWithSession(tools, a.application, { parameters, isConsentRequired: true });
  const isJwt = jwt.access_token.split('.').length === 3;
  ensure(isJwt, 'The access token for a single resource server is not a JWT.');
  await checkActive(reporter, server, { client, token: jwt.access_token, audience });

  reporter.chapter('The direct authorization endpoint issues A an identifier-based access token');
  const request = { client_id: client.id, sub: 'alice', username: 'alice', scope: 'reports:read' };
  const send = printedFetch('operator', reporter);
  const direct = await directToken(stack, { ...request, aud: [audience] }, send);
  await checkActive(reporter, server, { client, token: direct, audience });
  return {
    accessTokens: {
      'The JWT access token': jwt.access_token,
      'The directly issued access token': direct,
    },
    refreshToken: jwt.refresh_token,
  };
}

function addressOf({ baseUrl }: Stack, { client }: ResourceServer): string {
  return `${baseUrl}/clients/${client.id}`;
}

async function registerParticipants(
  stack: Stack,
  { reporter }: BrowserTools,
  toEnd: Closers,
): Promise<Participants> {
  const send = printedFetch('operator', reporter);
  const token = await initialAccessToken(stack, 3, send);
  const metadata = {
    client_name: 'Reports API',
    grant_types: ['client_credentials'],
    scope: `${stack.baseUrl}/token/introspect`,
  };
  const client = await register(stack, token, metadata, printedFetch('Reports API', reporter));
  const [a, b] = [
    await registerApplication({ stack, token, reporter, toEnd }, 'Application A'),
    await registerApplication({ stack, token, reporter, toEnd }, 'Application B'),
  ];
  reporter.passed('All three are registered.');
  if (!a.isNotified) reporter.notice(NO_BACK_CHANNEL);
  return { a, b, server: resourceServer(stack, client, reporter) };
}

const NO_BACK_CHANNEL =
  'Back-channel logout is skipped, because EGRESS_ALLOW_HOSTS of this stack does not include 127.0.0.1.';

interface Registering {
  readonly stack: Stack;
  readonly token: string;
  readonly reporter: Reporter;
  readonly toEnd: Closers;
}

/** Registers an application, without a back-channel logout URI if the stack rejects its address. */
async function registerApplication(
  { stack, token, reporter, toEnd }: Registering,
  name: string,
): Promise<RegisteredApplication> {
  const application = await startDemoApplication(name, await freePort(), { reporter, toEnd });
  const send = printedFetch(name, reporter);
  const withBackchannel = await tryToRegister(stack, token, metadataOf(application, true), send);
  const client = withBackchannel ?? (await register(stack, token, metadataOf(application, false), send));
  const { redirectUri } = application;
  const party = await relyingParty(stack.baseUrl, { ...client, redirectUri, proof: client }, reporter);
  application.connect(party);
  return { application, client, party, isNotified: withBackchannel !== undefined };
}

/** Registers A again with the same metadata and identifier. */
async function registerAgain({ reporter }: BrowserTools, { a }: Participants, stack: Stack): Promise<void> {
  const token = await initialAccessToken(stack, 1, printedFetch('operator', reporter));
  const { application, client, isNotified } = a;
  const metadata = { ...metadataOf(application, isNotified), preferred_client_id: client.id };
  const registered = await register(stack, token, metadata, printedFetch(client.name, reporter));
  ensure(registered.id === client.id, 'A got another identifier than the requested one.');
  const { redirectUri } = application;
  const renewed = { ...registered, redirectUri, proof: registered };
  application.connect(await relyingParty(stack.baseUrl, renewed, reporter));
}
