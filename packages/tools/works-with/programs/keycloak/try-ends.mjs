import { setTimeout as pause } from 'node:timers/promises';
import { start, until } from './joined-server.mjs';
import { decoded, postForm, postStack } from './oauth-requests.mjs';
import * as realm from './realm-user.mjs';
import { ensure, step } from './report.mjs';

/** A revocation covers tokens of another server that are dated up to 30 seconds later. */
const CUTOFF_MS = 31_000;
const START_MS = 2_000;
const FOLLOWED_MS = 15_000;

/** Revocations and logouts in both directions. */
export async function tryEnds() {
  const { keycloak } = await import('./run/requests.mjs');
  const freshLogin = () => {
    realm.forgetCookies();
    return realm.signIn();
  };
  const refresh = ({ refresh_token }) => realm.request({ grant_type: 'refresh_token', refresh_token });
  const sessionOf = ({ access_token }) => decoded(access_token).claims.sid;
  const userOf = ({ access_token }) => decoded(access_token).claims.sub;

  await step('revoke a token at Vestibule: inactive, and Keycloak renews it', async () => {
    const tokens = await freshLogin();
    await realm.ensureActive(tokens.access_token);
    await postStack('/direct-authz/revoke', { token: tokens.access_token });
    await realm.ensureInactive(tokens.access_token);
    await realm.ensureActive((await refresh(tokens)).access_token);
  });

  await step('end a session at both', async () => {
    const tokens = await freshLogin();
    await postStack('/direct-authz/revoke', { sid: sessionOf(tokens) });
    await realm.ensureInactive(tokens.access_token);
    await keycloak('DELETE', `/sessions/${sessionOf(tokens)}`);
    const refused = await postForm(
      `${realm.KEYCLOAK_ENDPOINT}/token`,
      { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
      realm.WEB,
    );
    ensure(refused.error === 'invalid_grant', JSON.stringify(refused));
  });

  await step('logout at Keycloak alone leaves access tokens active', async () => {
    const tokens = await freshLogin();
    await keycloak('DELETE', `/sessions/${sessionOf(tokens)}`);
    await realm.ensureActive(tokens.access_token);
  });

  start('node', ['run/follow-keycloak.mjs']);
  await pause(START_MS);
  const followed = (tokens) =>
    until('the token is inactive', () => realm.isInactive(tokens.access_token), FOLLOWED_MS);

  await step('logout at Keycloak, followed: inactive', async () => {
    const tokens = await freshLogin();
    await realm.openPage(`${realm.KEYCLOAK_ENDPOINT}/logout?id_token_hint=${tokens.id_token}`);
    await followed(tokens);
  });
  await step('session ended by an administrator, followed: inactive', async () => {
    const tokens = await freshLogin();
    await keycloak('DELETE', `/sessions/${sessionOf(tokens)}`);
    await followed(tokens);
  });
  await step('refresh token revoked at Keycloak, followed: inactive', async () => {
    const tokens = await freshLogin();
    await postForm(`${realm.KEYCLOAK_ENDPOINT}/revoke`, { token: tokens.refresh_token }, realm.WEB);
    await followed(tokens);
  });
  await step('user logged out by an administrator, followed: inactive', async () => {
    const tokens = await freshLogin();
    await keycloak('POST', `/users/${userOf(tokens)}/logout`);
    await followed(tokens);
  });

  await step('log in half a minute after that, introspect', async () => {
    await pause(CUTOFF_MS);
    await realm.ensureActive((await freshLogin()).access_token);
  });
  await step('revoke by client and by user at Vestibule', async () => {
    const { access_token } = await freshLogin();
    const machine = await realm.request({ grant_type: 'client_credentials', scope: 'orders' });
    await realm.ensureActive(machine.access_token);
    await postStack('/direct-authz/revoke', { sub: userOf({ access_token }) });
    await realm.ensureInactive(access_token);
    await realm.ensureActive(machine.access_token);
    await postStack('/direct-authz/revoke', { client_id: 'web' });
    await realm.ensureInactive(machine.access_token);
  });
}
