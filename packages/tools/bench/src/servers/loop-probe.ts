import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a service in front of its own program, to look at its event loop from inside. The parent sends `reset`
// and `report`; nothing else of the service changes.
const RESOLUTION_MS = 2;
const NANOS_PER_MS = 1e6;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on('message', (message) => {
  if (message === 'reset') delay.reset();
  // The histogram holds the time between two looks, which includes the time that was meant to lie between them.
  if (message === 'report')
    process.send?.({ p99Ms: Math.max(0, delay.percentile(99) / NANOS_PER_MS - RESOLUTION_MS) });
});
// The channel must not keep a service alive that wants to end.
process.channel?.unref();
