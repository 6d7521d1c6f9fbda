/** The provider cannot join as it is set up. The message has one line for each problem, and contains no secret. */
export class JoinError extends Error {
  override readonly name = 'JoinError';

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(
      problems.length === 1
        ? `The provider cannot join. ${problems[0]}`
        : ['The provider cannot join:', ...problems.map((problem) => `- ${problem}`)].join('\n'),
      options,
    );
  }
}
