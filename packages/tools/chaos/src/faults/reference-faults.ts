import type { Fault } from '../trials/fault.js';
import { API_FAULTS } from './api-faults.js';
import { INSTANCE_FAULTS } from './instance-faults.js';

const IDS = ['healthy', 'api-stream-cut', 'api-stream-held'] as const;
const SECONDS = 12;

/** Faults of which the client that the guide on the stream of changes shows must make as little as the package. */
export const REFERENCE_FAULTS: readonly Fault[] = IDS.map((id) => {
  const fault = [...INSTANCE_FAULTS, ...API_FAULTS].find((each) => each.id === id);
  if (fault === undefined) throw new TypeError('there is no such fault');
  const { title, limits, begin } = fault;
  return {
    id: `reference-${id}`,
    title: `a second API has the client of the guide: ${title}`,
    seconds: SECONDS,
    limits,
    prepare: async () => ({ hasReference: true }),
    begin,
  };
});
