import { connect, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { withinSignal } from './deadline.js';
import { asFault, EgressFault } from './egress-fault.js';
import type { Target } from './target.js';
import { isAdmitted } from './target-addresses.js';

/** Starts a TCP connection to an IP address; the socket is destroyed when the signal aborts. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Socket;

/** Connects over the network. */
export const dialTcp: Dial = (host, port, signal) => connect({ host, port, noDelay: true, signal });

/** The target of a connection, with its checked addresses. */
export interface ConnectionPlan {
  readonly target: Target;
  /** Checked addresses, tried in order. */
  readonly addresses: readonly string[];
  /** The trust store, called only for https. */
  readonly trusted: () => SecureContext;
  readonly dial: Dial;
  readonly signal: AbortSignal;
}

/** An open connection that belongs to one request. */
export interface Connection {
  /** The socket for HTTP: the TCP socket, or the TLS socket over it. */
  readonly socket: Socket;
  /** Destroys the socket at once, without a graceful close. */
  destroy(): void;
}

/** Addresses tried for one request. */
const MAX_ATTEMPTS = 4;

/** Connect timeout of an address while there is another one to try; the last has the rest of the deadline. */
const ATTEMPT_MS = 500;

function whenOpen(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new EgressFault(event === 'connect' ? 'refused' : 'tls')));
    // Stays for the life of the socket, because an unhandled error event would end the process.
    socket.on('error', () => undefined);
  });
}

async function openTcp(plan: ConnectionPlan, address: string, isLast: boolean): Promise<Socket> {
  const { target, dial, signal } = plan;
  const socket = dial(address, target.port, signal);
  const timer = isLast ? undefined : setTimeout(() => socket.destroy(), ATTEMPT_MS);
  try {
    await withinSignal(signal, whenOpen(socket, 'connect'));
  } catch (error) {
    socket.destroy();
    throw asFault(error, 'refused');
  } finally {
    clearTimeout(timer);
  }
  // Nothing has been written yet. Independently of the lookup, this is the address that would receive the request.
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined && isAdmitted(target, remoteAddress)) return socket;
  socket.destroy();
  // A peer that has already disconnected has no address to check.
  if (remoteAddress === undefined) throw new EgressFault('refused');
  throw new EgressFault('blocked', { detail: 'remote_address' });
}

async function openAnyTcp(plan: ConnectionPlan): Promise<Socket> {
  const [address, ...others] = plan.addresses;
  if (address === undefined) throw new EgressFault('unresolvable');
  try {
    return await openTcp(plan, address, others.length === 0);
  } catch (error) {
    const fault = asFault(error, 'refused');
    if (fault.reason !== 'refused' || others.length === 0 || plan.signal.aborted) throw fault;
    return openAnyTcp({ ...plan, addresses: others });
  }
}

async function openTls(plan: ConnectionPlan, tcp: Socket): Promise<Socket> {
  const { host, isLiteral } = plan.target;
  const socket = connectTls({
    socket: tcp,
    // The name that the certificate must contain; server name indication is for names only (RFC 6066 section 3).
    host,
    servername: isLiteral ? undefined : host,
    secureContext: plan.trusted(),
    ALPNProtocols: ['http/1.1'],
    // Explicit, because an environment variable changes the default.
    rejectUnauthorized: true,
  });
  try {
    await withinSignal(plan.signal, whenOpen(socket, 'secureConnect'));
    return socket;
  } catch (error) {
    socket.destroy();
    throw asFault(error, 'tls');
  }
}

/**
 * Connects to the first address that accepts, checks the remote address before a byte is written, and starts TLS unless
 * the URL is http.
 *
 * Sockets connect to addresses, never to names, so no second lookup can lead elsewhere.
 *
 * @throws EgressFault `refused`, `blocked`, `tls`, or the reason of the signal.
 */
export async function openConnection(plan: ConnectionPlan): Promise<Connection> {
  const tcp = await openAnyTcp({ ...plan, addresses: plan.addresses.slice(0, MAX_ATTEMPTS) });
  try {
    const socket = plan.target.url.protocol === 'https:' ? await openTls(plan, tcp) : tcp;
    return {
      socket,
      destroy: () => {
        socket.destroy();
        tcp.destroy();
      },
    };
  } catch (error) {
    tcp.destroy();
    throw error;
  }
}
