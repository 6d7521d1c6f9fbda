import type { LogoutMessages } from './messages.js';

/** European Portuguese. */
export const pt: LogoutMessages = {
  question: 'Terminar sessão em {provider}?',
  questionWithClient: 'Terminar também a sessão em {provider}?',
  sentByClient: 'Está a terminar a sessão na aplicação {client}.',
  consequence:
    'Também vamos pedir a todas as aplicações em que iniciou sessão com {provider} que terminem a sua sessão.',
  accept: 'Sim, terminar sessão',
  decline: 'Não, manter a sessão iniciada',
  declineWithClient: 'Não, terminar só na aplicação {client}',
  anotherLogin: 'Este pedido é para uma conta diferente daquela com que iniciou sessão.',
  badHint: 'Não foi possível verificar este pedido, por isso não voltará à aplicação.',
  redirectRefused: 'Não foi possível verificar a página indicada pela aplicação, por isso ficará aqui.',
  redirectNotRegistered:
    'O endereço Web de retorno não está registado para a aplicação {client}, por isso ficará aqui.',
  answeredBefore: 'Já respondeu e continua com a sessão iniciada. Pode escolher de novo.',
  questionChanged: 'Esta página estava desatualizada. Escolha de novo.',
  endedTitle: 'Sessão terminada',
  ended: 'Já não tem sessão iniciada em {provider}.',
  stillTitle: 'Continua com a sessão iniciada em {provider}',
  kept: 'Nada mudou.',
  left: 'Só terminou a sessão na aplicação {client}.',
  notLoggedInTitle: 'Não tem sessão iniciada',
  notLoggedIn: 'Não tem sessão iniciada em {provider} neste navegador.',
  asking: 'A pedir às suas aplicações que terminem a sessão…',
  asked:
    'Pedimos a estas aplicações que terminassem a sua sessão. Se ainda tiver sessão iniciada nalguma, termine-a aí.',
  someFailed:
    'Não foi possível contactar algumas aplicações, e a sua sessão pode continuar aberta nelas. Abra-as e termine a sessão.',
  allConfirmed: 'Todas estas aplicações confirmaram que a sessão terminou.',
  waiting: 'Aguarde…',
  notified: 'Pedido enviado',
  confirmed: 'Sessão terminada',
  retrying: 'A tentar novamente',
  failed: 'Não foi possível contactar',
  oneMoreStepTitle: 'Só mais um passo',
  oneMoreStep: 'Uma aplicação pediu para terminar a sua sessão.',
  badRequest: 'Não foi possível compreender este pedido. Volte à aplicação e tente novamente.',
  fault: 'O problema é nosso. A sua sessão pode continuar aberta. Tente novamente dentro de momentos.',
  tryAgain: 'Ir para a página de fim de sessão',
};
