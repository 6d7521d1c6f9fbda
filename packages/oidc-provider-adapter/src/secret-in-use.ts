import { presentedSecret, previousSecret } from '@vestibule/client-auth';
import type { Client } from '@vestibule/clients';
import { randomAlphanumeric, secureRandom } from '@vestibule/crypto';
import { ThrottledError } from '@vestibule/protocol';
import { errors, Provider, type ProviderContext } from 'oidc-provider';
import type { AdapterOptions } from './adapter-options.js';

/** An unguessable length: the library needs a secret for every client, and of this one only a hash is known. */
const DECOY_LENGTH = 43;

/**
 * The secret with which the library verifies the current request, if it is not the current one of the client: the
 * library knows one secret of a client. It is a replaced secret that the request uses within its overlap, or, for a
 * client whose secret was imported as a hash, the presented secret if it is correct.
 */
export async function secretInUse(options: AdapterOptions, client: Client): Promise<string | undefined> {
  const { ctx } = Provider;
  if (client.secretHash !== undefined)
    return (
      (await importedSecretInUse(options, client, ctx)) ?? randomAlphanumeric(DECOY_LENGTH, secureRandom)
    );
  if (ctx === undefined) return undefined;
  const { clock, digester, encryptor, clients, secretOverlapSeconds = 0 } = options;
  const deps = { clock, digester, encryptor, clients, secretOverlapSeconds };
  return previousSecret(deps, client, credentialsOf(ctx));
}

async function importedSecretInUse(
  { importedSecrets }: AdapterOptions,
  client: Client,
  ctx: ProviderContext | undefined,
): Promise<string | undefined> {
  const presented = ctx && presentedSecret(credentialsOf(ctx));
  if (presented?.method !== client.metadata.token_endpoint_auth_method) return undefined;
  try {
    return (await importedSecrets?.isProven(client, presented.secret)) ? presented.secret : undefined;
  } catch (error) {
    throw error instanceof ThrottledError ? overloadError(ctx, error) : error;
  }
}

/** The refusal as an error of the library. */
function overloadError(
  ctx: ProviderContext | undefined,
  { code, description, retryAfterSeconds }: ThrottledError,
) {
  ctx?.set('Retry-After', String(retryAfterSeconds));
  const presented = new errors.CustomOIDCProviderError(code, description);
  return Object.assign(presented, { status: 429, statusCode: 429 });
}

function credentialsOf({ req, oidc }: ProviderContext) {
  const { client_secret, client_assertion } = oidc.params ?? {};
  const form = { client_secret: text(client_secret), client_assertion: text(client_assertion) };
  return { authorization: req.headers.authorization, form };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
