/**
 * The store of one model: the interface that node-oidc-provider asks for, with its names. What it finds is what the
 * library stored; `Payload` is what the library's types call that.
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
