import { resourceName } from '@vestibule/metadata/uris';
import { Provider, type ProviderContext, type ProviderToken } from 'oidc-provider';
import { requestedNames, shownResource } from './requested-resources.js';

/**
 * Lets token requests name a granted resource with or without a trailing slash, as authorization requests may. The
 * library compares it with the resources of the code or the refresh token character by character.
 */
export function acceptEitherSpelling({ AuthorizationCode, RefreshToken }: Provider): void {
  for (const model of [AuthorizationCode, RefreshToken]) {
    const { find } = model;
    model.find = async function findAndMatch(this: typeof model, ...parameters) {
      const found = await find.apply(this, parameters);
      if (found !== undefined && Provider.ctx !== undefined) useGrantedSpelling(Provider.ctx, found);
      return found;
    };
  }
}

function useGrantedSpelling({ oidc: { params } }: ProviderContext, source: ProviderToken): void {
  const requested = params?.['resource'];
  if (params === undefined || typeof requested !== 'string') return;
  const { resourceIndicators: granted } = source;
  if (granted.has(requested)) return;
  const same = [...granted].find(
    (name) => name !== undefined && resourceName(name) === resourceName(requested),
  );
  if (same !== undefined) params['resource'] = same;
}

/** The library's description of a resource that was not granted. */
const NOT_GRANTED = 'resource indicator is missing, or unknown';

/** Names the resource in the error of a token request for one that was not granted. The response is not sent yet. */
export function nameRefusedResources(provider: Provider): void {
  provider.on('grant.error', (ctx: ProviderContext, error: { readonly error_description?: string }) => {
    const [name] = requestedNames(ctx);
    if (error.error_description !== NOT_GRANTED || name === undefined || typeof ctx.body !== 'object') return;
    ctx.body = { ...ctx.body, error_description: `the resource ${shownResource(name)} was not granted` };
  });
}
