import { html, type RenderedPage } from '@vestibule/http/pages';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { localeOf, page } from './page.js';

/** The services whose API has a page. */
const APIS = ['registration', 'introspection', 'logout', 'federation', 'authorization'] as const;

/**
 * The start page of the local stack, with links to everything.
 * @param logoutPath path of the logout page
 */
export function startPage(logoutPath: string): RenderedPage {
  // For developers: in English, like the documents that it links to.
  return page(localeOf({}), {
    title: 'Vestibule',
    content: html`<p>The local stack is running.</p>
<h2>Try the APIs</h2>
<ul>${APIS.map((name) => html`<li><a href="/.well-known/openapi/${name}">${name}</a></li>\n`)}</ul>
<p>Operations need the master token. <span class="code">pnpm start</span> prints the path of the file that contains it.</p>
<h2>See also</h2>
<ul>
<li><a href="/.well-known/openid-configuration">Discovery document</a></li>
<li><a href="${ENDPOINT_PATH.jwks}">Public keys</a></li>
<li><a href="${logoutPath}">Logout page</a></li>
</ul>`,
  });
}
