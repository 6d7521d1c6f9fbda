import { html, type RenderedPage } from '@vestibule/http/pages';
import type { UpstreamError } from '@vestibule/service/upstream';
import { type PageLocale, page, sentences } from '../pages/page.js';

/**
 * A page that goes on at once. Browsers apply the `form-action` of a page with a form to every redirect that follows, so
 * a redirect from one provider through this one to a client would be blocked (CSP Level 3 section 6.3.1).
 */
export function onwardPage(locale: PageLocale, address: string): RenderedPage {
  const sentence = sentences(locale);
  return page(locale, {
    title: sentence('continue'),
    head: html`<meta http-equiv="refresh" content="0;url=${address}">`,
    content: html`<p><a href="${address}" rel="noreferrer">${sentence('continue')}</a></p>`,
  });
}

/**
 * The page for a login that failed at the other provider, with a link to try it again.
 * @param retry the address of the interaction
 */
export function failedLoginPage(locale: PageLocale, { message }: UpstreamError, retry: string): RenderedPage {
  const sentence = sentences(locale);
  return page(locale, {
    status: 502,
    title: sentence('errorTitle'),
    content: html`<p role="alert">${sentence('fault')}</p>
<p><a href="${retry}">${sentence('logIn')}</a></p>
<p>${sentence('details')}</p>
<p class="code" dir="ltr" lang="en">${message}</p>`,
  });
}
