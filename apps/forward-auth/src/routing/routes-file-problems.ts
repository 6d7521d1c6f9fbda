import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';
import { ResourceFrame, RouteEntry, RoutesFrame } from './routes-file.js';

/**
 * What is wrong with the form of a routes file, each with its place: `resources[0].routes[2].path: must be a string`.
 * Values are not quoted.
 */
export function routesFileProblems(file: unknown): readonly string[] {
  return [
    ...formProblems(RoutesFrame, file, ''),
    // One by one: of each value, only the first errors are found.
    ...elementsOf(file, 'resources').flatMap((resource, index) => {
      const place = `/resources/${index}`;
      return [
        ...formProblems(ResourceFrame, resource, place),
        ...elementsOf(resource, 'routes').flatMap((entry, routeIndex) =>
          formProblems(RouteEntry, entry, `${place}/routes/${routeIndex}`),
        ),
      ];
    }),
  ];
}

function elementsOf(value: unknown, member: string): readonly unknown[] {
  const elements = typeof value === 'object' && value !== null && Reflect.get(value, member);
  return Array.isArray(elements) ? elements : [];
}

/** @param place JSON pointer of the value */
function formProblems(schema: TSchema, value: unknown, place: string): readonly string[] {
  return Value.Errors(schema, value).flatMap((error) =>
    problemsOf(error).map(
      ({ member, problem }) => `${placeOf(place + error.instancePath, member)}: ${problem}`,
    ),
  );
}

interface FormProblem {
  /** The member of the place that the problem is about; otherwise it is about the place. */
  readonly member?: string;
  readonly problem: string;
}

function problemsOf(error: TLocalizedValidationError): readonly FormProblem[] {
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((member) => ({ member, problem: 'is missing' }));
    case 'additionalProperties':
      // The schema `false` of each such member tells the same.
      return [];
    case 'boolean':
      return [{ problem: 'is not a known member' }];
    case 'type':
      return [{ problem: `must be of the type ${[error.params.type].flat().join(' or ')}` }];
    case 'enum':
      return [{ problem: `must be ${error.params.allowedValues.join(' or ')}` }];
    case 'pattern':
      return [{ problem: 'has characters that it must not have' }];
    case 'minLength':
    case 'minItems':
      return [{ problem: 'must not be empty' }];
    case 'maxLength':
      return [{ problem: `must have at most ${error.params.limit} characters` }];
    case 'maxItems':
      return [{ problem: `must have at most ${error.params.limit} elements` }];
    default:
      return [{ problem: error.message }];
  }
}

/** A place as people write it, from a JSON pointer (RFC 6901). */
function placeOf(pointer: string, member: string | undefined): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const place = [...steps, ...(member === undefined ? [] : [member])].reduce(
    (text, step) => (/^\d+$/.test(step) ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
  return place === '' ? 'the file' : place;
}
