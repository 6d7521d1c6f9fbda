import { ASYMMETRIC_ALGORITHMS, HMAC_ALGORITHMS } from '@vestibule/protocol/constants';
import { describe, expect, it } from 'vitest';
import { decoyKeys } from './decoy-keys.js';

describe('decoyKeys', () => {
  it('returns a key for every algorithm of assertions, whatever key id they name', async () => {
    for (const alg of [...ASYMMETRIC_ALGORITHMS, ...HMAC_ALGORITHMS])
      for (const kid of [undefined, 'k1'])
        expect(await decoyKeys({ alg, kid }), alg).toMatchObject([{ algorithm: alg }]);
  });
});
