import { randomAlphanumeric } from '@vestibule/crypto';
import { type Adapter, createAdapterFactory } from '@vestibule/oidc-provider-adapter';
import { performedMetadata } from './performed-metadata.js';
import type { ProviderDeps } from './provider-deps.js';

/** Stores posted authorization requests until the browser returns for them. */
export interface PostedRequests {
  /**
   * Stores the form of a request.
   * @returns the query under which the authorization endpoint finds it again
   */
  readonly store: (form: string) => Promise<string>;
  /** The request that a query refers to: `undefined` for any other query, `expired` if it is no longer stored. */
  readonly find: (query: string) => Promise<PostedRequest | 'expired' | undefined>;
}

/** The parameters of a request as they were posted, form-encoded. */
export interface PostedRequest {
  readonly form: string;
}

const LIFETIME_SECONDS = 60;
const ID_LENGTH = 43;
const QUERY = new RegExp(`^posted_request=([A-Za-z0-9]{${ID_LENGTH}})$`);

/** Stores posted requests encrypted, under the digest of their identifier, like the library's own records. */
export function postedRequests(deps: ProviderDeps): PostedRequests {
  const performed = performedMetadata(deps.supported);
  const records: Adapter = createAdapterFactory({ ...deps, performed })('PostedAuthorizationRequest');
  return {
    store: async (form) => {
      const id = randomAlphanumeric(ID_LENGTH, deps.random);
      await records.upsert(id, { form }, LIFETIME_SECONDS);
      return `posted_request=${id}`;
    },
    find: async (query) => {
      const id = QUERY.exec(query)?.[1];
      if (id === undefined) return undefined;
      const found: { readonly form?: unknown } | undefined = await records.find(id);
      return typeof found?.form === 'string' ? { form: found.form } : 'expired';
    },
  };
}
