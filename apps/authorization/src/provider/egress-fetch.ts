import type { Egress } from '@vestibule/egress';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';

const MAX_BYTES = 65_536;

/** The `fetch` of the library: only documents, through the guarded client for outgoing requests. */
export function egressFetch(
  egress: Pick<Egress, 'fetchDocument'>,
): (url: string, options?: { readonly method?: string }) => Promise<Response> {
  return async (url, { method = 'GET' } = {}) => {
    if (method !== 'GET') throw new TypeError('only GET is supported');
    const document = await egress.fetchDocument({
      url,
      accept: `${MEDIA_TYPE.jwkSet}, ${MEDIA_TYPE.json}`,
      mediaTypes: [MEDIA_TYPE.jwkSet, MEDIA_TYPE.json],
      maxBytes: MAX_BYTES,
    });
    if (document.outcome === 'failed') throw new TypeError('the document cannot be fetched');
    return new Response(document.text, { headers: { 'content-type': document.mediaType } });
  };
}
