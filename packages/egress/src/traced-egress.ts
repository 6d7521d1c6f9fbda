import type { SpanAttributes, Tracer } from '@vestibule/protocol';
import type { Egress } from './egress.js';
import type { EgressFailure } from './outcome.js';

/**
 * Traces the requests of an egress: method, host and outcome, never the path, which may be a secret. No trace context
 * is sent to remote servers.
 */
export function tracedEgress(egress: Egress, tracer: Tracer): Egress {
  const traced = <Outcome extends { readonly outcome: 'ok'; readonly status: number } | EgressFailure>(
    method: 'GET' | 'POST',
    url: string,
    send: () => Promise<Outcome>,
  ): Promise<Outcome> =>
    tracer.span(
      { name: `egress ${method}`, kind: 'client', attributes: attributesOf(method, url) },
      async (span) => {
        const outcome = await send();
        if (outcome.status !== undefined) span.setAttributes({ 'http.response.status_code': outcome.status });
        if (outcome.outcome === 'failed') span.fail(outcome.reason);
        return outcome;
      },
    );
  return {
    fetchDocument: (request) =>
      traced(request.form === undefined ? 'GET' : 'POST', request.url, () => egress.fetchDocument(request)),
    fetchCacheable: (request) => traced('GET', request.url, () => egress.fetchCacheable(request)),
    post: (request) => traced('POST', request.url, () => egress.post(request)),
  };
}

function attributesOf(method: string, url: string): SpanAttributes {
  const attributes = { 'http.request.method': method };
  return URL.canParse(url) ? { ...attributes, 'server.address': new URL(url).hostname } : attributes;
}
