import { ENDPOINT_PATH } from '@vestibule/protocol';
import { html, type RenderedPage } from '@vestibule/service-kit/pages';
import { localeOf, page } from './page.js';

/** The services whose API has a page. */
const APIS = ['registration', 'introspection', 'logout', 'federation', 'authorization'] as const;

/** The page at the root of the local stack: where everything is. @param logoutPath where the logout page is */
export function startPage(logoutPath: string): RenderedPage {
  // For developers: in English, as the documents that it leads to.
  return page(localeOf({}), {
    title: 'Vestibule',
    content: html`<p>The local stack is running.</p>
<h2>Try the APIs</h2>
<ul>${APIS.map((name) => html`<li><a href="/.well-known/openapi/${name}">${name}</a></li>\n`)}</ul>
<p>Operations ask for the master token. <span class="code">pnpm start</span> prints the file that holds it.</p>
<h2>Look at it</h2>
<ul>
<li><a href="/.well-known/openid-configuration">Discovery document</a></li>
<li><a href="${ENDPOINT_PATH.jwks}">Public keys</a></li>
<li><a href="${logoutPath}">Logout page</a></li>
</ul>`,
  });
}
