export function step<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined>;
export function ensure(isSo: boolean, sentence: string): asserts isSo;
