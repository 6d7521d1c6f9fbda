import type { Answer } from '../load/answer-reader.js';
import { openConnection } from '../load/connection.js';
import { startChildServer } from '../servers/child-server.js';
import type { Stage } from '../stage/stage.js';
import type { Contestant, Exchange, OpenContestant, Replay } from '../workloads/workload.js';

/** What a bare server answers to everything. */
export interface Constant {
  readonly contentType: string;
  readonly body: string;
}

/** The name of the bare Fastify route. */
export const LIMIT = 'limit';
/** The name of the bare server of Node. */
export const BARE_HTTP = 'bare node:http';

const SERVERS = { [LIMIT]: 'bare-fastify', [BARE_HTTP]: 'bare-http' } as const;

/** A server that answers the same requests with a constant. */
export function bareServer(
  { pinning }: Stage,
  name: keyof typeof SERVERS,
  questions: ConstantQuestions,
): Contestant {
  return {
    name,
    open: async () => {
      const { process, port } = await startChildServer(SERVERS[name], questions.answer, pinning.serverPrefix);
      return { port, pid: process.pid, traffic: constantTraffic(questions), close: process.stop };
    },
  };
}

/** What a server of constants is asked and answers. */
export interface ConstantQuestions {
  readonly answer: Constant;
  readonly requests: readonly string[];
}

/** Requests that are all answered with the constant. */
export function constantTraffic({ answer, requests }: ConstantQuestions): Replay {
  const [request = ''] = requests;
  return { kind: 'replay', load: requests, samples: [constantExchange(request, answer)] };
}

/** An exchange whose answer is always the same. */
export function constantExchange(request: string, { body }: Constant): Exchange {
  return {
    request,
    problem: (answer) =>
      answer.status === 200 && answer.body === body ? undefined : 'not the constant answer',
  };
}

/** A constant of the kind and size of an answer. */
export function constantLike({ headers, body }: Answer): Constant {
  return { contentType: headers.get('content-type') ?? 'application/json', body };
}

/** The answer of a contestant to its first sample, not judged. */
export async function firstAnswer(contestant: Contestant): Promise<Answer> {
  const opened: OpenContestant = await contestant.open();
  try {
    const { traffic, port } = opened;
    const request = traffic.kind === 'replay' ? traffic.samples[0]?.request : traffic.source.next();
    if (request === undefined) throw new RangeError('the contestant has no sample');
    const connection = await openConnection(port);
    const answer = await connection.ask(request);
    connection.close();
    return answer;
  } finally {
    await opened.close();
  }
}
