import { printedFetch } from '../print/printed-fetch.js';
import { ensure } from '../tour-error.js';
import type { ResourceServer } from './introspect.js';
import type { BrowserTools } from './log-in.js';
import type { RegisteredApplication } from './registered-application.js';

/** The registration to delete, and the tokens that have to become inactive with it. */
export interface Deletion {
  readonly registered: RegisteredApplication;
  readonly server: ResourceServer;
  /** The access tokens, by display name. */
  readonly accessTokens: Readonly<Record<string, string>>;
  /** One of them that userinfo accepted. */
  readonly userInfoToken: string;
  readonly refreshTokens: readonly (string | undefined)[];
}

/** Deletes the registration of an application and checks that its tokens and its sign-in stop working. @throws TourError */
export async function deleteApplication(tools: BrowserTools, deletion: Deletion): Promise<void> {
  const { reporter } = tools;
  const { registered, server, accessTokens, userInfoToken, refreshTokens } = deletion;
  const { client, party } = registered;
  const send = printedFetch(client.name, reporter);
  const manage = (method: string) =>
    send(client.registrationUri, {
      method,
      headers: { authorization: `Bearer ${client.registrationToken}` },
    });
  ensure((await manage('DELETE')).status === 204, 'The registration was not deleted.');
  await server.checkInactive(accessTokens, performance.now());
  for (const token of refreshTokens) {
    ensure(token !== undefined, 'A login returned no refresh token.');
    const isRefreshed = await succeeds(party.refresh(token));
    ensure(!isRefreshed, 'A refresh token works after its client was deleted.');
  }
  reporter.passed('The refresh tokens do not work any more.');
  ensure(
    !(await succeeds(party.userInfo(userInfoToken, 'alice'))),
    'The userinfo endpoint still accepts the access token.',
  );
  reporter.passed('The userinfo endpoint rejects the access token.');
  ensure((await manage('GET')).status === 401, 'The registration can still be read.');
  reporter.passed('The registration cannot be read any more.');
  await checkUnknownClient(tools, registered);
}

/** The provider shows an error page for an unknown client instead of the login page. */
async function checkUnknownClient(
  { page, gallery, reporter }: BrowserTools,
  { application }: RegisteredApplication,
): Promise<void> {
  const response = await page.goto(`${application.address}/login`);
  ensure(response?.status() === 400, 'The deleted client can still start a login.');
  ensure(!page.url().startsWith(application.address), 'The browser was redirected to the deleted client.');
  await gallery.show(page, 'refused-client');
  reporter.passed('The deleted client cannot start a login, and the browser is not redirected to it.');
}

async function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}
