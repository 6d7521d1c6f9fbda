/**
 * The store of one model: the adapter interface of node-oidc-provider, with its names. It finds what the library
 * stored; `Payload` is the library's type of that.
 */
export interface Adapter<Payload extends object = object> {
  upsert(id: string, payload: object, expiresIn?: number): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  findByUserCode(userCode: string): Promise<Payload | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}
