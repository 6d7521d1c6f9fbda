import type { PageMessages } from './messages.js';

/** Brazilian Portuguese. */
export const ptBr: PageMessages = {
  demo: 'Esta é uma demonstração para testes locais. Não digite uma senha real.',
  logIn: 'Fazer login',
  loginFor: 'Faça login para continuar no app {client}.',
  username: 'Nome de usuário',
  password: 'Senha',
  cancel: 'Cancelar e voltar',
  wrongPassword: 'Nome de usuário ou senha incorretos.',
  consentTitle: 'Permitir o acesso?',
  consent: 'O app {client} está pedindo acesso à sua conta:',
  accessResource: 'Acessar {resource}:',
  confirmAgain: 'Confirme que você quer continuar no app {client}.',
  scopeOpenid: 'Saber quem você é',
  scopeProfile: 'Ver seu nome e perfil',
  scopeEmail: 'Ver seu e-mail',
  scopeAddress: 'Ver seu endereço',
  scopePhone: 'Ver seu número de telefone',
  scopeOffline: 'Manter o acesso quando você não estiver usando o app',
  privacyPolicy: 'Política de privacidade',
  terms: 'Termos de Serviço',
  documentHost: 'Este app é publicado por este site:',
  loopbackWarning:
    'Este app é executado no seu dispositivo, onde outros programas podem se passar por ele. Permita o acesso somente se você acabou de iniciá-lo.',
  destination: 'Seja qual for sua escolha, você voltará para {site}.',
  allow: 'Permitir',
  refuse: 'Não permitir',
  expiredTitle: 'Esta página expirou',
  expired: 'Volte ao app e comece de novo.',
  badRequest: 'O app enviou uma solicitação que não podemos concluir. Volte ao app e tente de novo.',
  tooManyRequests:
    'Foram feitas muitas tentativas de login pela sua rede. Espere um minuto, volte ao app e tente de novo.',
  details: 'Se isso continuar acontecendo, envie estes detalhes aos responsáveis pelo app:',
  fault: 'O problema é nosso. Tente de novo em instantes.',
};
