import type { PageMessages } from './messages.js';

/** European Portuguese. */
export const pt: PageMessages = {
  demo: 'Esta é uma demonstração para testes locais. Não introduza uma palavra-passe real.',
  logIn: 'Iniciar sessão',
  loginFor: 'Inicie sessão para continuar para a aplicação {client}.',
  username: 'Nome de utilizador',
  password: 'Palavra-passe',
  cancel: 'Cancelar e voltar',
  wrongPassword: 'O nome de utilizador ou a palavra-passe estão incorretos.',
  consentTitle: 'Permitir o acesso?',
  consent: 'A aplicação {client} pede acesso à sua conta:',
  accessResource: 'Aceder a {resource}:',
  confirmAgain: 'A aplicação {client} pede que confirme que quer continuar.',
  scopeOpenid: 'Saber quem é',
  scopeProfile: 'Ver o seu nome e perfil',
  scopeEmail: 'Ver o seu endereço de e-mail',
  scopeAddress: 'Ver a sua morada',
  scopePhone: 'Ver o seu número de telefone',
  scopeOffline: 'Manter o acesso quando não está a usar a aplicação',
  privacyPolicy: 'Política de privacidade',
  terms: 'Termos de utilização',
  documentHost: 'Esta aplicação é publicada por este site:',
  loopbackWarning:
    'Esta aplicação é executada no seu dispositivo, onde outros programas se podem fazer passar por ela. Permita o acesso apenas se acabou de a iniciar.',
  destination: 'Seja qual for a sua escolha, voltará a {site}.',
  allow: 'Permitir',
  refuse: 'Não permitir',
  expiredTitle: 'Esta página expirou',
  expired: 'Volte à aplicação e comece de novo.',
  badRequest: 'A aplicação enviou um pedido que não podemos concluir. Volte à aplicação e tente novamente.',
  tooManyRequests:
    'Houve demasiadas tentativas de início de sessão a partir da sua rede. Aguarde um minuto, volte à aplicação e tente novamente.',
  details: 'Se continuar a acontecer, envie estes detalhes aos responsáveis pela aplicação:',
  fault: 'O problema é nosso. Tente novamente dentro de momentos.',
};
