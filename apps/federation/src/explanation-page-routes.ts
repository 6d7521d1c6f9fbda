import type { MasterToken } from '@vestibule/crypto';
import type { Profile } from '@vestibule/federation';
import { type Reply, type ResourceRoutes, route } from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { presenterOf } from '@vestibule/http/errors';
import { html } from '@vestibule/http/pages';
import { DomainError } from '@vestibule/protocol';
import { Type } from 'typebox';
import { EXPLANATION_FORM, EXPLANATION_RESULT } from './api/explanation-description.js';
import { enabled, type FederationServiceDeps } from './deps.js';
import { explainEntity } from './explain-entity.js';
import { explanationForm } from './pages/explanation-form.js';
import { type ExplanationPage, explanationPage } from './pages/explanation-page.js';
import { FEDERATION_ERRORS } from './presentation.js';

const sub = Type.Optional(Type.String({ description: 'The entity identifier.' }));
const profile = Type.Optional(
  Type.Enum(['final', 'draft'], {
    description: 'The profile by which the statements are validated. Default: final.',
  }),
);

/**
 * The explanation for browsers, which send no bearer token: a form takes the master token, and the response page
 * contains the explanation. The token is only in the request body, never in a page or an address, and is not kept: each
 * explanation needs it again.
 */
export function explanationPageRoutes(deps: FederationServiceDeps): ResourceRoutes {
  return {
    GET: route({
      description: EXPLANATION_FORM,
      schema: { querystring: Type.Object({ sub, profile }) },
      handler: async (request, reply) => sendPage(reply, 200, explanationForm(request.query)),
    }),
    POST: route({
      description: EXPLANATION_RESULT,
      body: formBody(),
      schema: {
        body: Type.Object({
          sub,
          profile,
          master_token: Type.Optional(Type.String({ description: 'The master token of the operator.' })),
        }),
      },
      handler: async (request, reply) => {
        const { master_token: token, ...entity } = request.body;
        try {
          requireToken(deps.masterToken, token);
          return sendPage(reply, 200, await explained(deps, entity));
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          const { status } = presenterOf(FEDERATION_ERRORS, error.code)(error);
          return sendPage(reply, status, explanationForm({ ...entity, problem: error.description }));
        }
      },
    }),
  };
}

function requireToken(masterToken: MasterToken, token: string | undefined): void {
  if (token === undefined || !masterToken.matches(token))
    throw new DomainError('invalid_token', 'This is not the master token.');
}

async function explained(
  { federation }: FederationServiceDeps,
  { sub: subject, profile: chosen = 'final' }: { readonly sub?: string; readonly profile?: Profile },
): Promise<ExplanationPage> {
  const explanation = await explainEntity(enabled(federation), { sub: subject, profile: chosen });
  return explanationPage(explanation, html`<p><a href="?">Explain another entity</a></p>`);
}

function sendPage(reply: Reply, status: number, { headers, body }: ExplanationPage): Reply {
  return reply.code(status).headers(headers).send(body);
}
