import type { Span, Tracer } from '@vestibule/protocol';
import type { RedisCommands } from './redis-client.js';
import { type RedisConnection, UNAVAILABLE } from './redis-connection.js';

/** Traces the commands of a connection: a span with the command's name, without keys and values. */
export function tracedRedis(redis: RedisConnection, tracer: Tracer): RedisConnection {
  return {
    run: (send) =>
      tracer.span(
        { name: 'redis', kind: 'client', attributes: { 'db.system.name': 'redis' } },
        async (span): Promise<Awaited<ReturnType<typeof send>> | typeof UNAVAILABLE> => {
          const reply = await redis.run((commands) => send(named(commands, span)));
          if (reply === UNAVAILABLE) span.fail('unavailable');
          return reply;
        },
      ),
    ping: redis.ping,
    get isBreakerOpen() {
      return redis.isBreakerOpen;
    },
    close: redis.close,
  };
}

/** Adds the name of each command to the span. */
function named(commands: RedisCommands, span: Span): RedisCommands {
  return new Proxy(commands, {
    get: (target, name, receiver) => {
      if (typeof name === 'string') span.setAttributes({ 'db.operation.name': name });
      const command: unknown = Reflect.get(target, name, receiver);
      return typeof command === 'function' ? command.bind(target) : command;
    },
  });
}
