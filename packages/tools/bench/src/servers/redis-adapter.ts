import type { Adapter } from '@vestibule/oidc-provider-adapter';
import type { Redis } from 'ioredis';

const GRANTABLE = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken', 'DeviceCode']);

/** The members by which a payload is found, besides its identifier. */
interface Payload {
  readonly grantId?: string;
  readonly uid?: string;
  readonly userCode?: string;
}

/** Redis storage for node-oidc-provider: one key for each artefact, one command for each read. */
export function redisAdapter(redis: Redis, model: string): Adapter {
  const keyOf = (id: string) => `${model}:${id}`;
  const read = async (key: string): Promise<object | undefined> => {
    const text = await redis.get(key);
    return text === null ? undefined : JSON.parse(text);
  };
  const follow = async (pointer: string) => {
    const id = await redis.get(pointer);
    return id === null ? undefined : read(keyOf(id));
  };
  return {
    upsert: async (id, payload: Payload, expiresIn) => {
      const key = keyOf(id);
      const { grantId, uid, userCode } = payload;
      const writes = redis.multi();
      const set = (name: string, value: string) =>
        expiresIn === undefined ? writes.set(name, value) : writes.set(name, value, 'EX', expiresIn);
      set(key, JSON.stringify(payload));
      if (uid !== undefined) set(`uid:${uid}`, id);
      if (userCode !== undefined) set(`userCode:${userCode}`, id);
      if (grantId !== undefined && GRANTABLE.has(model)) {
        writes.rpush(`grant:${grantId}`, key);
        if (expiresIn !== undefined) writes.expire(`grant:${grantId}`, expiresIn);
      }
      await writes.exec();
    },
    find: (id) => read(keyOf(id)),
    findByUid: (uid) => follow(`uid:${uid}`),
    findByUserCode: (userCode) => follow(`userCode:${userCode}`),
    consume: async (id) => {
      const payload = await read(keyOf(id));
      const consumed = Math.floor(Date.now() / 1000);
      await redis.set(keyOf(id), JSON.stringify({ ...payload, consumed }), 'KEEPTTL');
    },
    destroy: async (id) => {
      await redis.del(keyOf(id));
    },
    revokeByGrantId: async (grantId) => {
      const keys = await redis.lrange(`grant:${grantId}`, 0, -1);
      await redis.del(`grant:${grantId}`, ...keys);
    },
  };
}
