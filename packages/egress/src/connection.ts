import { connect, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { withinSignal } from './deadline.js';
import { asFault, EgressFault } from './egress-fault.js';
import type { Target } from './target.js';
import { isAdmitted } from './target-addresses.js';

/** Begins a TCP connection to an IP address; the socket is destroyed when the signal aborts. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Socket;

/** The network. */
export const dialTcp: Dial = (host, port, signal) => connect({ host, port, noDelay: true, signal });

/** What a connection is opened with. */
export interface ConnectionPlan {
  readonly target: Target;
  /** Checked addresses, tried in order. */
  readonly addresses: readonly string[];
  readonly secureContext: SecureContext;
  readonly dial: Dial;
  readonly signal: AbortSignal;
}

/** An open connection that belongs to one request. */
export interface Connection {
  /** Where HTTP is spoken: the TCP socket, or the TLS socket over it. */
  readonly socket: Socket;
  /** Closes at once, without a farewell. */
  destroy(): void;
}

/** Addresses tried for one request. */
const MAX_ATTEMPTS = 4;

/** How long an address may take to connect while another one is left to try. The last has the rest of the deadline. */
const ATTEMPT_MS = 500;

function whenOpen(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new EgressFault(event === 'connect' ? 'refused' : 'tls')));
    // Stays for the life of the socket: an error nobody listens to would end the process.
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
  // Nothing has been written yet. Whatever the lookup said, this is who would read the request.
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined && isAdmitted(target, remoteAddress)) return socket;
  socket.destroy();
  // Who has gone already is nobody to judge, and may be back later.
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
    // The name that the certificate must carry; server name indication is for names alone (RFC 6066 section 3).
    host,
    servername: isLiteral ? undefined : host,
    secureContext: plan.secureContext,
    ALPNProtocols: ['http/1.1'],
    // Said aloud, since an environment variable changes the default.
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
 * Connects to the first address that answers, checks who is there before a byte is written, and secures the connection
 * unless the URL is http.
 *
 * The sockets go to addresses, never to names, so no second lookup can lead elsewhere.
 *
 * @throws EgressFault `refused`, `blocked`, `tls`, or as the signal says.
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
