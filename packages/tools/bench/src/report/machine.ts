import { cpus, platform, totalmem } from 'node:os';
import type { TestEnvironment } from '../test-environment/test-environment.js';

const BYTES_PER_GB = 1_073_741_824;

/** One line about the machine and the settings: enough to decide whether two reports are comparable. */
export function machineLine({ pinning, wrk, effort }: TestEnvironment): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / BYTES_PER_GB);
  return [
    `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, ${memory} GB, ${platform()}`,
    `Node ${process.versions.node}`,
    pinning.isPinned ? 'the server on one core, everything else on another' : 'no pinned cores',
    wrk === undefined ? 'load from Node' : 'load from wrk',
    `${effort.rounds} rounds of ${effort.seconds} s.`,
  ].join('; ');
}
