import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { runChildTask } from '../servers/child-task.js';
import { startAuthorizationServer } from '../test-environment/authorization-server.js';
import type { IntrospectionFixture } from '../test-environment/introspection-fixture.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const TOKENS = 100_000;
const CALLS_PER_SECOND = 500_000;
const P99_AT_MOST_MICROS = 10;
const MEMORY_AT_MOST_MB = 100;
const BYTES_PER_MB = 1_048_576;

const MeasuredCalls = Type.Object({ perSecond: Type.Number(), p99Micros: Type.Number() });
const Measured = Type.Object({ bytes: Type.Number(), one: MeasuredCalls, all: MeasuredCalls });
type Measured = Type.Static<typeof Measured>;

/** The cost of `verify` in an API whose tokens are cached. */
export function tokenVerificationWorkload(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
): FigureWorkload {
  const { effort, pinning } = testEnvironment;
  return {
    kind: 'figures',
    id: 'resource-server-verify',
    title: `\`verify\` of the resource server with ${TOKENS.toLocaleString('en')} cached tokens, without HTTP; rates for a second of CPU time`,
    measure: async () => {
      const installation = await fixture.installation();
      const resourceServer = await fixture.resourceServer();
      const tokens = (await fixture.identifierTokens(TOKENS)).map(({ token }) => token);
      const runs: Measured[] = [];
      while (runs.length < effort.rounds) {
        await testEnvironment.forget();
        const { requirements, stop } = await startAuthorizationServer(installation, resourceServer);
        const result = await runChildTask({
          name: 'verify-tokens',
          configuration: { requirements, tokens, seconds: effort.seconds },
          nodeOptions: ['--expose-gc'],
          prefix: pinning.serverPrefix,
        }).finally(stop);
        runs.push(Value.Parse(Measured, result));
      }
      return figuresOf(runs);
    },
  };
}

function figuresOf(runs: readonly Measured[]): readonly Figure[] {
  const count = TOKENS.toLocaleString('en');
  const callFigures = (which: 'one' | 'all', tokens: string): readonly Figure[] => [
    {
      name: `${tokens}, rate`,
      values: runs.map((run) => run[which].perSecond),
      unit: 'calls/s',
      atLeast: CALLS_PER_SECOND,
    },
    {
      name: `${tokens}, p99`,
      values: runs.map((run) => run[which].p99Micros),
      unit: 'µs',
      atMost: P99_AT_MOST_MICROS,
    },
  ];
  return [
    ...callFigures('one', 'one token'),
    ...callFigures('all', `${count} tokens in any order`),
    {
      name: `memory of ${count} tokens`,
      values: runs.map(({ bytes }) => bytes / BYTES_PER_MB),
      unit: 'MB',
      atMost: MEMORY_AT_MOST_MB,
    },
  ];
}
