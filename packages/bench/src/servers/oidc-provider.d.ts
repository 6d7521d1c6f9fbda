// The part of node-oidc-provider that is used here; the package brings no types of its own.
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export interface StoredModel {
    save(): Promise<string>;
  }

  export interface GrantModel extends StoredModel {
    addOIDCScope(scope: string): void;
  }

  export interface AccessTokenModel extends StoredModel {
    setAudience(audience: string): void;
  }

  export interface Adapter {
    upsert(id: string, payload: object, expiresIn?: number): Promise<void>;
    find(id: string): Promise<object | undefined>;
    findByUid(uid: string): Promise<object | undefined>;
    findByUserCode(userCode: string): Promise<object | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    readonly Grant: new (
      properties: object,
    ) => GrantModel;
    readonly AccessToken: new (
      properties: object,
    ) => AccessTokenModel;
  }
}
