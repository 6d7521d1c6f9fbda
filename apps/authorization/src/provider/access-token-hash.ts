import type { Provider, ProviderIdToken, ProviderToken } from 'oidc-provider';

/**
 * Adds `at_hash` to ID tokens of the token endpoint (OpenID Connect Core section 3.1.3.6), where it is optional and the
 * library omits it. The library computes the hash of the access token when it signs the ID token.
 */
export function addAccessTokenHash({ AccessToken, IdToken }: Provider): void {
  const texts = new WeakMap<ProviderToken, string>();
  const { save } = AccessToken.prototype;
  AccessToken.prototype.save = async function remember(this: ProviderToken, ...parameters) {
    const text = await save.apply(this, parameters);
    texts.set(this, text);
    return text;
  };
  const { issue } = IdToken.prototype;
  IdToken.prototype.issue = function bind(this: ProviderIdToken, ...parameters) {
    const [{ use }] = parameters;
    const accessToken = this.ctx?.oidc.entities.AccessToken;
    const text = accessToken && texts.get(accessToken);
    if (use === 'idtoken' && text !== undefined) this.set('at_hash', text);
    return issue.apply(this, parameters);
  };
}
