import { toldFetch } from '../print/told-fetch.js';
import { ensure } from '../tour-error.js';
import type { ResourceServer } from './introspect.js';
import type { Watched } from './log-in.js';
import type { Member } from './member.js';

/** What is deleted. */
export interface Deletion {
  readonly member: Member;
  readonly server: ResourceServer;
  /** The access tokens, by display name. */
  readonly accessTokens: Readonly<Record<string, string>>;
  /** One of them that userinfo accepted. */
  readonly userInfoToken: string;
  readonly refreshTokens: readonly (string | undefined)[];
}

/** Deletes the registration of an application and checks that nothing of it is left. @throws TourError */
export async function deleteApplication(watched: Watched, deletion: Deletion): Promise<void> {
  const { narrator } = watched;
  const { member, server, accessTokens, userInfoToken, refreshTokens } = deletion;
  const { client, party } = member;
  const told = toldFetch(client.name, narrator);
  const manage = (method: string) =>
    told(client.registrationUri, {
      method,
      headers: { authorization: `Bearer ${client.registrationToken}` },
    });
  ensure((await manage('DELETE')).status === 204, 'The registration was not deleted.');
  await server.seeDead(accessTokens, performance.now());
  for (const token of refreshTokens) {
    ensure(token !== undefined, 'A login gave no refresh token.');
    const isRefreshed = await succeeds(party.refresh(token));
    ensure(!isRefreshed, 'A refresh token outlived its client.');
  }
  narrator.proved('The refresh tokens are dead.');
  ensure(!(await succeeds(party.userInfo(userInfoToken, 'alice'))), 'Userinfo still answers.');
  narrator.proved('Userinfo does not answer any more.');
  ensure((await manage('GET')).status === 401, 'The registration can still be read.');
  narrator.proved('The registration and its token are gone.');
  await seeRefused(watched, member);
}

/** There is a page about an unknown client instead of the sign-in. */
async function seeRefused({ page, gallery, narrator }: Watched, { application }: Member): Promise<void> {
  const response = await page.goto(`${application.address}/login`);
  ensure(response?.status() === 400, 'The deleted client may still send people to log in.');
  ensure(!page.url().startsWith(application.address), 'The browser was sent back to the deleted client.');
  await gallery.show(page, 'refused-client');
  narrator.proved('Nobody is logged in for a client that is gone, or sent back to it.');
}

async function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}
