import Type, { type Static } from 'typebox';
import { METHOD } from './request-method.js';

const SCOPE = '^(?:[!#-\\[\\]-~]+(?: [!#-\\[\\]-~]+)*)?$';
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** The form of a route. */
export const RouteEntry = Type.Object(
  {
    path: Text(1_024),
    methods: Type.Optional(
      Type.Array(Type.String({ pattern: METHOD.source }), { minItems: 1, maxItems: 50 }),
    ),
    access: Type.Optional(Type.Enum(['public'])),
    scope: Type.Optional(Type.String({ pattern: SCOPE, maxLength: 1_024 })),
  },
  { additionalProperties: false },
);

const ROUTES = { minItems: 1, maxItems: 1_000 };

/** The form of a resource, without that of its routes. */
export const ResourceFrame = Type.Object(
  {
    identifier: Text(2_048),
    hosts: Type.Optional(Type.Array(Text(300), { minItems: 1, maxItems: 100 })),
    audience: Type.Optional(Type.Array(Text(2_048), { minItems: 1, maxItems: 100 })),
    audience_checked: Type.Optional(Type.Boolean()),
    base_url: Type.Optional(Text(2_048)),
    dpop: Type.Optional(Type.Enum(['accepted', 'required'])),
    name: Type.Optional(Text(200)),
    documentation: Type.Optional(Text(2_048)),
    routes: Type.Array(Type.Unknown(), ROUTES),
  },
  { additionalProperties: false },
);

const ResourceEntry = Type.Object(
  { ...ResourceFrame.properties, routes: Type.Array(RouteEntry, ROUTES) },
  { additionalProperties: false },
);

const RESOURCES = { minItems: 1, maxItems: 100 };

/** The form of the routes file, without that of its resources. */
export const RoutesFrame = Type.Object(
  { resources: Type.Array(Type.Unknown(), RESOURCES) },
  { additionalProperties: false },
);

/** The form of the routes file. */
export const RoutesFile = Type.Object(
  { resources: Type.Array(ResourceEntry, RESOURCES) },
  { additionalProperties: false },
);

/** A routes file whose values have the right types. */
export type RoutesFile = Static<typeof RoutesFile>;

/** A resource of the file. */
export type ResourceEntry = Static<typeof ResourceEntry>;

/** A route of the file. */
export type RouteEntry = Static<typeof RouteEntry>;
