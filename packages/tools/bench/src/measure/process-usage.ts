import { readFile } from 'node:fs/promises';

/** Clock ticks a second in /proc: 100 on every Linux, whatever the kernel's own timer does. */
const TICKS_PER_SECOND = 100;
const MICROS_PER_TICK = 1_000_000 / TICKS_PER_SECOND;

// Counted after the name, which may contain spaces and parentheses: state is the first.
const USER_TICKS = 11;
const KERNEL_TICKS = 12;

/**
 * The CPU time that a process has used since it started, of all its threads in user and kernel mode, in microseconds
 * and steps of 10,000, from the text of /proc/<pid>/stat (proc_pid_stat(5)).
 * @throws TypeError when it is not such a text.
 */
export function parseProcessMicros(text: string): number {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[USER_TICKS]) + Number(fields[KERNEL_TICKS]);
  if (!text.includes(')') || !Number.isSafeInteger(ticks)) throw new TypeError('not the stat of a process');
  return ticks * MICROS_PER_TICK;
}

/**
 * The resident memory of a process in bytes, from the text of /proc/<pid>/status.
 * @throws TypeError when it is missing
 */
export function parseResidentBytes(text: string): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
  if (kilobytes === undefined) throw new TypeError('not the status of a process with memory');
  return Number(kilobytes) * 1024;
}

/**
 * How long a processor has been busy since the machine started, in microseconds, from the text of /proc/stat.
 * `undefined` when there is no such processor.
 */
export function parseCoreBusyMicros(text: string, core: number): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`cpu${core} `));
  if (line === undefined) return undefined;
  // user nice system idle iowait irq softirq steal; guest time is part of user time.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .split(' ')
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * MICROS_PER_TICK;
}

/** `undefined` where the system does not report it, or the process has exited. */
export async function processMicros(pid: number): Promise<number | undefined> {
  const text = await read(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseProcessMicros(text);
}

/** `undefined` where the system does not report it, or the process has exited. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  const text = await read(`/proc/${pid}/status`);
  return text === undefined ? undefined : parseResidentBytes(text);
}

/** `undefined` where the system does not report it. */
export async function coreBusyMicros(core: number): Promise<number | undefined> {
  const text = await read('/proc/stat');
  return text === undefined ? undefined : parseCoreBusyMicros(text, core);
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
