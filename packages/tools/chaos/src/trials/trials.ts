import { API_FAULTS } from '../faults/api-faults.js';
import { CLOCK_FAULTS } from '../faults/clock-faults.js';
import { INSTANCE_FAULTS } from '../faults/instance-faults.js';
import { INVALIDATION_FAULTS } from '../faults/invalidation-faults.js';
import { POSTGRES_FAULTS } from '../faults/postgres-faults.js';
import { REDIS_FAULTS } from '../faults/redis-faults.js';
import { REDIS_TOPOLOGY_FAULTS } from '../faults/redis-topology-faults.js';
import { REFERENCE_FAULTS } from '../faults/reference-faults.js';
import { ANCHOR_DOWN } from './anchor-down.js';
import { DOCUMENT_HOSTS } from './document-hosts.js';
import { FAILOVERS } from './failover.js';
import { faultTrial } from './fault-trial.js';
import { FLOOD } from './flood.js';
import { FRESH_TOKEN } from './fresh-token.js';
import { INVALID_SETTINGS_TRIAL } from './invalid-settings.js';
import { ISSUER_CUTOFF } from './issuer-cutoff.js';
import { LATE_DEPENDENCIES } from './late-dependencies.js';
import { LOGOUT_KILLS } from './logout-kills.js';
import { METRICS_MOVE } from './metrics-move.js';
import { PAUSED_MACHINES } from './paused-machine.js';
import { PAUSED_READERS } from './paused-reader.js';
import { RESTORES } from './restore.js';
import { ROLLING_RESTARTS } from './rolling-restart.js';
import { ROTATION } from './rotation.js';
import { SINGLE_USE } from './single-use.js';
import { STAMPEDE } from './stampede.js';
import type { Trial } from './trial.js';
import { TWO_VERSIONS } from './two-versions.js';
import { WRONG_CLOCKS } from './wrong-clock.js';

/** Every trial, in the order of the report. */
export const TRIALS: readonly Trial[] = [
  ...[
    ...INSTANCE_FAULTS,
    ...REDIS_FAULTS,
    ...REDIS_TOPOLOGY_FAULTS,
    ...POSTGRES_FAULTS,
    ...INVALIDATION_FAULTS,
    ...CLOCK_FAULTS,
    ...API_FAULTS,
    ...REFERENCE_FAULTS,
  ].map(faultTrial),
  ...FAILOVERS,
  ...WRONG_CLOCKS,
  ...PAUSED_MACHINES,
  ...PAUSED_READERS,
  FRESH_TOKEN,
  SINGLE_USE,
  ISSUER_CUTOFF,
  STAMPEDE,
  FLOOD,
  LOGOUT_KILLS,
  ...ROLLING_RESTARTS,
  ANCHOR_DOWN,
  DOCUMENT_HOSTS,
  LATE_DEPENDENCIES,
  INVALID_SETTINGS_TRIAL,
  METRICS_MOVE,
  ROTATION,
  ...RESTORES,
  TWO_VERSIONS,
];
