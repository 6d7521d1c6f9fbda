import type { LogoutMessages } from './messages.js';

/** Brazilian Portuguese. */
export const ptBr: LogoutMessages = {
  question: 'Sair de {provider}?',
  questionWithClient: 'Sair também de {provider}?',
  sentByClient: 'Você está saindo do app {client}.',
  consequence:
    'Também vamos pedir que todos os apps em que você fez login com {provider} encerrem sua sessão.',
  accept: 'Sim, sair',
  decline: 'Não, manter minha sessão',
  declineWithClient: 'Não, sair apenas do app {client}',
  anotherLogin: 'Esta solicitação é para uma conta diferente da que você está usando.',
  badHint: 'Não foi possível verificar esta solicitação. Por isso, você não voltará para o app.',
  redirectRefused: 'Não foi possível verificar a página indicada pelo app. Por isso, você ficará aqui.',
  redirectNotRegistered:
    'O endereço de retorno não está registrado para o app {client}. Por isso, você ficará aqui.',
  answeredBefore: 'Você já respondeu e sua sessão continua aberta. Você pode escolher de novo.',
  questionChanged: 'Esta página estava desatualizada. Escolha de novo.',
  endedTitle: 'Você saiu',
  ended: 'Sua sessão em {provider} foi encerrada.',
  stillTitle: 'Sua sessão em {provider} continua aberta',
  kept: 'Nada mudou.',
  left: 'Apenas sua sessão no app {client} foi encerrada.',
  notLoggedInTitle: 'Você não fez login',
  notLoggedIn: 'Você não fez login em {provider} neste navegador.',
  asking: 'Pedindo aos seus apps que encerrem sua sessão…',
  asked:
    'Pedimos que estes apps encerrem sua sessão. Se ela ainda estiver aberta em algum deles, saia diretamente no app.',
  someFailed:
    'Não foi possível contatar alguns apps, e sua sessão pode continuar aberta neles. Abra esses apps e saia da sua conta.',
  allConfirmed: 'Todos estes apps confirmaram que sua sessão foi encerrada.',
  waiting: 'Aguarde…',
  notified: 'Pedido enviado',
  confirmed: 'Sessão encerrada',
  retrying: 'Tentando novamente',
  failed: 'Não foi possível contatar',
  oneMoreStepTitle: 'Só mais uma etapa',
  oneMoreStep: 'Um app pediu para encerrar sua sessão.',
  badRequest: 'Não entendemos esta solicitação. Volte ao app e tente de novo.',
  fault: 'O problema é nosso. Sua sessão pode continuar aberta. Tente de novo em instantes.',
  tryAgain: 'Ir para a página de saída',
};
