import { type Closers, freePort } from '@vestibule/local-services';
import { type DemoApplication, startDemoApplication } from '../demo/demo-application.js';
import { DEMO_SCOPE, relyingParty } from '../demo/relying-party.js';
import { toldFetch } from '../print/told-fetch.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';
import { deleteApplication } from './delete-application.js';
import { type ResourceServer, resourceServer } from './introspect.js';
import { logInByKeyboard, logInWithSession, type Watched } from './log-in.js';
import type { Member } from './member.js';
import { initialAccessToken, type RegisteredClient, register } from './register.js';

/** The cast of the story. */
interface Cast {
  readonly a: Member;
  readonly b: Member;
  readonly server: ResourceServer;
}

/** Tells the whole story. @throws TourError where something is not as it should be */
export async function tellStory(stack: Stack, watched: Watched, toEnd: Closers): Promise<void> {
  const { narrator } = watched;
  narrator.chapter('Two applications and a resource server register');
  const { a, b, server } = await registerCast(stack, watched, toEnd);

  narrator.chapter('Alice logs in at A, with the keyboard alone');
  const atA = await logInByKeyboard(watched, a.application);

  narrator.chapter('She goes on to B');
  const atB = await logInWithSession(watched, b.application);
  ensure(atA.claims()?.['sid'] !== atB.claims()?.['sid'], 'A and B were told the same session identifier.');

  narrator.chapter('The resource server asks about the tokens');
  for (const [{ client }, { access_token }] of [[a, atA] as const, [b, atB] as const])
    await seeAlive(watched, server, { client, token: access_token });

  narrator.chapter('A refreshes its tokens');
  const fresh = await a.party.refresh(String(atA.refresh_token));
  ensure(fresh.access_token !== atA.access_token, 'Refreshing gave the same access token again.');
  await seeAlive(watched, server, { client: a.client, token: fresh.access_token });

  narrator.chapter('B revokes its refresh token');
  await b.party.revoke(String(atB.refresh_token));
  await server.seeDead('The access token of B', atB.access_token);
  await seeAlive(watched, server, { client: a.client, token: fresh.access_token });

  narrator.chapter('A asks for a token for this resource server alone: a self-contained one');
  const resource = `${stack.baseUrl}/clients/${server.client.id}`;
  const jwt = await logInWithSession(watched, a.application, { resource });
  ensure(
    jwt.access_token.split('.').length === 3,
    'The token for one resource server is not self-contained.',
  );
  const { aud } = await seeAlive(watched, server, { client: a.client, token: jwt.access_token });
  ensure(JSON.stringify(aud).includes(server.client.id), 'The token names another audience.');
  narrator.proved('Its audience is the resource server.');

  narrator.chapter('The registration of A is deleted, and everything of A with it');
  const tokens = {
    identifier: fresh.access_token,
    jwt: jwt.access_token,
    refresh: [fresh.refresh_token ?? atA.refresh_token, jwt.refresh_token],
  };
  await deleteApplication(watched, { member: a, server, tokens });
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
  const member = async (name: string): Promise<Member> => {
    const application = await startDemoApplication(name, await freePort(), toEnd);
    const registered = await register(stack, token, metadataOf(application), toldFetch(name, narrator));
    const { redirectUri } = application;
    const party = await relyingParty(stack.baseUrl, { ...registered, redirectUri }, narrator);
    application.connect(party);
    return { application, client: registered, party };
  };
  const [a, b] = [await member('Application A'), await member('Application B')];
  narrator.proved('All three are registered.');
  return { a, b, server: resourceServer(stack.baseUrl, client, narrator) };
}

function metadataOf({ name, address, redirectUri }: DemoApplication) {
  return {
    client_name: name,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: DEMO_SCOPE,
    frontchannel_logout_uri: `${address}/logout`,
    frontchannel_logout_session_required: true,
  };
}

async function seeAlive(
  { narrator }: Watched,
  server: ResourceServer,
  { client, token }: { readonly client: RegisteredClient; readonly token: string },
) {
  const answer = await server.introspect(token);
  const { active, username, client_id, scope } = answer;
  ensure(active === true, `The access token of ${client.name} is not active.`);
  ensure(username === 'alice' && client_id === client.id, `The token of ${client.name} is of somebody else.`);
  ensure(String(scope).split(' ').includes('reports:read'), `The token of ${client.name} has another scope.`);
  narrator.proved(`The access token of ${client.name} is alive: of alice, for ${String(scope)}.`);
  return answer;
}
