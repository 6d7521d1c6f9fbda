import { monitorEventLoopDelay } from 'node:perf_hooks';

// Preloaded into a service to measure its event loop. The parent sends `reset` and `report`; the service is otherwise
// unchanged.
const RESOLUTION_MS = 2;
const NANOS_PER_MS = 1e6;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on('message', (message) => {
  if (message === 'reset') delay.reset();
  // The histogram contains the time between two ticks, including the intended interval.
  if (message === 'report')
    process.send?.({ p99Ms: Math.max(0, delay.percentile(99) / NANOS_PER_MS - RESOLUTION_MS) });
});
// The channel must not keep a stopping service alive.
process.channel?.unref();
