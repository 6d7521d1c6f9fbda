import { Type } from 'typebox';
import { cycle } from '../load/load-result.js';
import { pacedLoad } from '../load/paced-load.js';
import { reportToParent } from './serve-parent.js';

const Configuration = Type.Object({
  port: Type.Integer({ minimum: 1 }),
  requests: Type.Array(Type.String(), { minItems: 1 }),
  connections: Type.Integer({ minimum: 1 }),
  requestsPerSecond: Type.Number(),
  seconds: Type.Number(),
});

// Requests pages at a fixed rate, apart from the process that measures another server meanwhile.
await reportToParent(Configuration, async ({ requests, ...load }) => {
  const { requests: count, failures } = await pacedLoad({ ...load, source: cycle(requests) });
  return { count, failures };
});
