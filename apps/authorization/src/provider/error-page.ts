import { html } from '@vestibule/service-kit/pages';
import type { ProviderContext } from 'oidc-provider';
import { contentSecurityPolicy, page } from '../pages/page.js';

/** The page about an authorisation request that cannot be sent back to its client. */
export async function errorPage(
  ctx: ProviderContext,
  {
    error,
    error_description: description = '',
  }: { readonly error: string; readonly error_description?: string },
): Promise<void> {
  ctx.type = 'html';
  ctx.set('content-security-policy', contentSecurityPolicy());
  ctx.body = page(
    'This did not work',
    html`
    <p>The application that sent you here made a request that cannot be answered.</p>
    <p class="code">${error}</p>
    <p>${description}</p>`,
  );
}
