import { type Closers, freePort } from '@vestibule/local-services';
import { startDemoApplication } from '../demo/demo-application.js';
import { metadataOf } from '../demo/demo-metadata.js';
import { relyingParty, type Tokens } from '../demo/relying-party.js';
import type { Narrator } from '../print/narrator.js';
import { toldFetch } from '../print/told-fetch.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';
import { deleteApplication } from './delete-application.js';
import { type ResourceServer, resourceServer } from './introspect.js';
import { logInByKeyboard, logInWithSession, type Watched } from './log-in.js';
import type { Member } from './member.js';
import { directToken, initialAccessToken, register, registerUnlessRefused } from './register.js';
import { seeAlive } from './see-alive.js';

/** The participants of the tour. */
export interface Cast {
  readonly a: Member;
  readonly b: Member;
  readonly server: ResourceServer;
}

/**
 * Everything before the logout chapters.
 * @returns the participants
 * @throws TourError when a check fails
 */
export async function tellStory(stack: Stack, watched: Watched, toEnd: Closers): Promise<Cast> {
  const { narrator } = watched;
  narrator.chapter('Two applications and a resource server register');
  const cast = await registerCast(stack, watched, toEnd);

  narrator.chapter('Alice logs in at A, with the keyboard alone');
  const atA = await logInByKeyboard(watched, cast.a.application);

  narrator.chapter('She goes on to B');
  const atB = await logInWithSession(watched, cast.b.application, { isConsentDue: true });
  ensure(atA.claims()?.['sid'] !== atB.claims()?.['sid'], 'A and B were told the same session identifier.');

  narrator.chapter('The resource server asks about the tokens');
  await seeAlive(narrator, cast.server, { client: cast.a.client, token: atA.access_token });
  await seeAlive(narrator, cast.server, { client: cast.b.client, token: atB.access_token });

  narrator.chapter('A refreshes its tokens');
  const fresh = await cast.a.party.refresh(String(atA.refresh_token));
  ensure(fresh.access_token !== atA.access_token, 'Refreshing gave the same access token again.');
  await seeAlive(narrator, cast.server, { client: cast.a.client, token: fresh.access_token });

  await tellOfRevocations(watched, cast, { stack, atB });
  const forOne = await tellOfAudiences(watched, cast, stack);
  await seeAlive(narrator, cast.server, { client: cast.a.client, token: fresh.access_token });

  narrator.chapter('The registration of A is deleted, and everything of A with it');
  const accessTokens = { 'The identifier-based access token': fresh.access_token, ...forOne.accessTokens };
  await deleteApplication(watched, {
    member: cast.a,
    server: cast.server,
    accessTokens,
    userInfoToken: fresh.access_token,
    refreshTokens: [fresh.refresh_token ?? atA.refresh_token, forOne.refreshToken],
  });

  await tellOfReturn(watched, cast, { stack, accessTokens });
  return cast;
}

/** A is restored under its identifier, without its earlier tokens and consents. */
async function tellOfReturn(
  watched: Watched,
  cast: Cast,
  { stack, accessTokens }: { readonly stack: Stack; readonly accessTokens: Readonly<Record<string, string>> },
): Promise<void> {
  const { narrator } = watched;
  narrator.chapter('A is registered again, under the same identifier: nothing comes back');
  await registerAgain(watched, cast, stack);
  await cast.server.seeDead(accessTokens, performance.now());
  await logInWithSession(watched, cast.a.application, { isConsentDue: true });
  narrator.proved('What Alice had allowed A is forgotten: she was asked again.');
}

/** B revokes its tokens, of both formats. */
async function tellOfRevocations(
  watched: Watched,
  { b, server }: Cast,
  { stack, atB }: { readonly stack: Stack; readonly atB: Tokens },
): Promise<void> {
  const { narrator } = watched;
  narrator.chapter('B revokes its refresh token');
  await b.party.revoke(String(atB.refresh_token));
  await server.seeDead({ 'The access token of B': atB.access_token }, performance.now());

  narrator.chapter('B gets a self-contained token and revokes it');
  const parameters = { resource: addressOf(stack, server) };
  const jwt = await logInWithSession(watched, b.application, { parameters, isConsentDue: true });
  const token = jwt.access_token;
  await seeAlive(narrator, server, { client: b.client, token, audience: server.client.id });
  await b.party.revoke(token);
  await server.seeDead({ 'The self-contained access token of B': token }, performance.now());
}

/** Tokens of A for a single resource server. */
async function tellOfAudiences(watched: Watched, { a, server }: Cast, stack: Stack) {
  const { narrator } = watched;
  const { client } = a;
  const audience = server.client.id;
  narrator.chapter('A asks for a token for this resource server alone: a self-contained one');
  const parameters = { resource: addressOf(stack, server) };
  const jwt = await logInWithSession(watched, a.application, { parameters, isConsentDue: true });
  const isSelfContained = jwt.access_token.split('.').length === 3;
  ensure(isSelfContained, 'The token for one resource server is not self-contained.');
  await seeAlive(narrator, server, { client, token: jwt.access_token, audience });

  narrator.chapter('Through the direct authorisation endpoint A gets an identifier-based one');
  const request = { client_id: client.id, sub: 'alice', username: 'alice', scope: 'reports:read' };
  const told = toldFetch('operator', narrator);
  const direct = await directToken(stack, { ...request, aud: [audience] }, told);
  await seeAlive(narrator, server, { client, token: direct, audience });
  return {
    accessTokens: {
      'The self-contained access token': jwt.access_token,
      'The directly issued access token': direct,
    },
    refreshToken: jwt.refresh_token,
  };
}

function addressOf({ baseUrl }: Stack, { client }: ResourceServer): string {
  return `${baseUrl}/clients/${client.id}`;
}

async function registerCast(stack: Stack, { narrator }: Watched, toEnd: Closers): Promise<Cast> {
  const told = toldFetch('operator', narrator);
  const token = await initialAccessToken(stack, 3, told);
  const metadata = {
    client_name: 'Reports API',
    grant_types: ['client_credentials'],
    scope: `${stack.baseUrl}/token/introspect`,
  };
  const client = await register(stack, token, metadata, toldFetch('Reports API', narrator));
  const [a, b] = [
    await registerMember({ stack, token, narrator, toEnd }, 'Application A'),
    await registerMember({ stack, token, narrator, toEnd }, 'Application B'),
  ];
  narrator.proved('All three are registered.');
  if (!a.isNotified) narrator.notice(NO_BACK_CHANNEL);
  return { a, b, server: resourceServer(stack, client, narrator) };
}

const NO_BACK_CHANNEL =
  'This stack may not post to applications on this machine (EGRESS_ALLOW_HOSTS): the back channel is left out.';

interface Registering {
  readonly stack: Stack;
  readonly token: string;
  readonly narrator: Narrator;
  readonly toEnd: Closers;
}

/** Registers an application; without its back channel where the stack does not accept its address. */
async function registerMember({ stack, token, narrator, toEnd }: Registering, name: string): Promise<Member> {
  const application = await startDemoApplication(name, await freePort(), { narrator, toEnd });
  const told = toldFetch(name, narrator);
  const notified = await registerUnlessRefused(stack, token, metadataOf(application, true), told);
  const client = notified ?? (await register(stack, token, metadataOf(application, false), told));
  const { redirectUri } = application;
  const party = await relyingParty(stack.baseUrl, { ...client, redirectUri, proof: client }, narrator);
  application.connect(party);
  return { application, client, party, isNotified: notified !== undefined };
}

/** Registers A again with the same metadata and identifier. */
async function registerAgain({ narrator }: Watched, { a }: Cast, stack: Stack): Promise<void> {
  const token = await initialAccessToken(stack, 1, toldFetch('operator', narrator));
  const { application, client, isNotified } = a;
  const metadata = { ...metadataOf(application, isNotified), preferred_client_id: client.id };
  const registered = await register(stack, token, metadata, toldFetch(client.name, narrator));
  ensure(registered.id === client.id, 'A got another identifier than the one that it asked for.');
  const { redirectUri } = application;
  const again = { ...registered, redirectUri, proof: registered };
  application.connect(await relyingParty(stack.baseUrl, again, narrator));
}
