import type { AssociatedData, AvailableDigests, Digest, DigestLookup } from '@vestibule/crypto/data-keys';
import { type ClientId, nowSeconds, parseClientId } from '@vestibule/protocol';
import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import type { FoundArtifact } from '@vestibule/tokens/provider';
import { errors, Provider } from 'oidc-provider';
import type { Adapter } from './adapter.js';
import type { AdapterOptions } from './adapter-options.js';
import { expiryOf, storablePayload, textMember } from './model-payload.js';
import { unusedOperations } from './unused-operations.js';

/** The models that end with their grant. */
const GRANTABLE: ReadonlySet<string> = new Set([
  'AuthorizationCode',
  'DeviceCode',
  'BackchannelAuthenticationRequest',
  'PreAuthorizedCode',
]);

/** The error for a second use of a model. */
const USED: Readonly<Record<string, () => Error>> = {
  PushedAuthorizationRequest: () => new errors.InvalidRequestUri('request_uri was already used'),
};

/**
 * Codes, interactions, pushed requests and so on: under digests of their identifiers, and encrypted, since some contain
 * identifiers of others, which are credentials too.
 */
export function artifactAdapter(model: string, options: AdapterOptions): Adapter {
  const { records, digester, clock, encryptor } = options;
  const { artifacts, authorizations } = records;
  const digestsOf = (id: string) => digester.availableDigests('artifact', id);
  const find = async (look: DigestLookup<FoundArtifact>) => {
    const found = await digester.find(look);
    const encrypted = found && textMember(found.payload, 'sealed');
    if (found === undefined || encrypted === undefined) return undefined;
    const payload: unknown = JSON.parse(
      await encryptor.open(encrypted, associatedDataOf(model, found.digest)),
    );
    if (!isJsonObject(payload)) return undefined;
    return { ...payload, ...(found.consumedAt && { consumed: found.consumedAt }) };
  };
  return {
    ...unusedOperations(model),
    upsert: async (id, payload, expiresIn) => {
      const { consumed: _column, ...storable } = storablePayload(payload);
      const digest = digester.digest('artifact', id);
      const expiresAt = expiryOf(options, expiresIn);
      const [uid, userCode, grantId] = ['uid', 'userCode', 'grantId'].map((name) =>
        textMember(storable, name),
      );
      const clientId = clientOf(storable);
      const encrypted = await encryptor.encrypt(
        JSON.stringify({ ...storable, jti: id }),
        associatedDataOf(model, digest),
      );
      const artifact = {
        kind: model,
        digest,
        payload: { sealed: encrypted },
        ...(uid !== undefined && { uid: nameOf(options, uid) }),
        ...(userCode !== undefined && { userCode: nameOf(options, userCode) }),
        ...(grantId !== undefined && GRANTABLE.has(model) && { authorizationId: grantId }),
        ...(clientId !== undefined && { clientId }),
        ...(expiresAt !== undefined && { expiresAt }),
      };
      await artifacts.save(artifact, digestsOf(id));
    },
    find: (id) => find((digests) => artifacts.find(model, digests('artifact', id), nowSeconds(clock))),
    findByUid: (uid) =>
      find((digests) => artifacts.findByUid(model, namesOf(digests, uid), nowSeconds(clock))),
    findByUserCode: (userCode) =>
      find((digests) => artifacts.findByUserCode(model, namesOf(digests, userCode), nowSeconds(clock))),
    consume: async (id) => {
      // One of the parallel uses succeeds; the others get the error of a later use.
      if (await artifacts.consume(model, digestsOf(id), nowSeconds(clock))) return;
      throw USED[model]?.() ?? new errors.InvalidGrant('already used');
    },
    destroy: (id) => artifacts.destroy(model, digestsOf(id)),
    revokeByGrantId: (grantId) => authorizations.revokeTokens(grantId, nowSeconds(clock)),
  };
}

/**
 * The client that an artifact belongs to and is deleted with. A pushed request does not name it in a member of its own;
 * there it is the client of the current request.
 */
function clientOf(payload: JsonObject): ClientId | undefined {
  const { clientId, params } = payload;
  const named = clientId ?? (isJsonObject(params) ? params['client_id'] : undefined);
  return parseClientId(named ?? Provider.ctx?.oidc.client?.clientId);
}

function associatedDataOf(model: string, digest: Digest): AssociatedData {
  const row = `${model}:${textOf(digest)}`;
  return { table: 'artifact', column: 'payload', row };
}

/** A second key by which an artifact is found, in a form that does not reveal it. */
function nameOf({ digester }: AdapterOptions, name: string): string {
  return textOf(digester.digest('artifact', name));
}

/** The forms of the same key under every active digest key. */
function namesOf(digests: AvailableDigests, name: string): readonly string[] {
  return digests('artifact', name).map(textOf);
}

function textOf(digest: Digest): string {
  return Buffer.from(digest).toString('base64url');
}
