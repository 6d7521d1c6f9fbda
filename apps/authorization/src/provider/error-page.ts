import { html } from '@vestibule/service-kit/pages';
import type { ProviderContext } from 'oidc-provider';
import { contentSecurityPolicy, page } from '../pages/page.js';

/** What is wrong with an authorization request, in the words of OAuth 2.0. */
export interface RequestError {
  readonly error: string;
  readonly error_description?: string;
}

/** The library's page about an authorization request that cannot be sent back to its client. */
export async function errorPage(ctx: ProviderContext, error: RequestError): Promise<void> {
  ctx.type = 'html';
  ctx.set('content-security-policy', contentSecurityPolicy());
  ctx.body = errorContent(error);
}

/** The page as HTML. */
export function errorContent({ error, error_description: description = '' }: RequestError): string {
  return page(
    'This did not work',
    html`
    <p>The application that sent you here made a request that cannot be answered.</p>
    <p class="code">${error}</p>
    <p>${description}</p>`,
  );
}
