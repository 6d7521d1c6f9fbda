import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type OperatorActor, operatorActor } from '@vestibule/clients';

/** Who is recorded when nobody is named. */
const DEFAULT_LABEL = 'cli';

/** `--actor`, for every command that changes something: who is recorded as having done it. */
export function actorOption() {
  return new Option('--actor <label>', 'operator name in audit events')
    .argParser(parseActor)
    .default(operatorActor(DEFAULT_LABEL), DEFAULT_LABEL);
}

function parseActor(label: string): OperatorActor {
  try {
    return operatorActor(label);
  } catch {
    throw new InvalidArgumentError(
      'It must have 1 to 64 letters, digits, dots, hyphens, underscores and at signs, and start with a letter or digit.',
    );
  }
}
