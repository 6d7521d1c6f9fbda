export type { DataKeyPurpose, DataKeyStore, KeyState, WrappedDataKey } from './data-key-store.js';
export type { Digest, Digester, DigestKind } from './digester.js';
export type { SealedPlace, Sealer } from './sealer.js';
export type { KeySetName, SigningKeyStore, StoredSigningKey } from './signing-key-store.js';
