import { provenEarlierSecret } from '@vestibule/client-auth';
import type { Client } from '@vestibule/clients';
import { Provider } from 'oidc-provider';
import type { AdapterOptions } from './adapter-options.js';

/**
 * The replaced secret that the request at hand proves a client with, while it still authenticates; `undefined` where
 * the present one counts. The library knows one secret of a client: it is shown the one that it is to verify with.
 */
export async function secretInUse(
  { clock, digester, sealer, clients, secretOverlapSeconds = 0 }: AdapterOptions,
  client: Client,
): Promise<string | undefined> {
  const { ctx } = Provider;
  if (ctx === undefined) return undefined;
  const { authorization } = ctx.req.headers;
  const { client_secret, client_assertion } = ctx.oidc.params ?? {};
  const form = { client_secret: text(client_secret), client_assertion: text(client_assertion) };
  const deps = { clock, digester, sealer, clients, secretOverlapSeconds };
  return provenEarlierSecret(deps, client, { authorization, form });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
