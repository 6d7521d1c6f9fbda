import type { PageMessages } from './messages.js';

/** Japanese. */
export const ja: PageMessages = {
  demo: 'これはローカルテスト用のデモです。実際のパスワードは入力しないでください。',
  logIn: 'ログイン',
  loginFor: '{client} に進むにはログインしてください。',
  username: 'ユーザー名',
  password: 'パスワード',
  cancel: 'キャンセルして戻る',
  wrongPassword: 'ユーザー名またはパスワードが正しくありません。',
  consentTitle: 'アクセスを許可しますか？',
  consent: '{client} がアカウントへのアクセスを求めています：',
  accessResource: '{resource} へのアクセス：',
  confirmAgain: '{client} に進むことを確認してください。',
  scopeOpenid: 'ユーザーの識別',
  scopeProfile: '名前とプロフィールの表示',
  scopeEmail: 'メールアドレスの表示',
  scopeAddress: '住所の表示',
  scopePhone: '電話番号の表示',
  scopeOffline: 'アプリを使っていない間もアクセスを継続',
  privacyPolicy: 'プライバシーポリシー',
  terms: '利用規約',
  documentHost: 'このアプリの提供元のウェブサイト:',
  loopbackWarning:
    'このアプリはお使いのデバイスで動作しており、デバイス上の他のプログラムがなりすます可能性があります。ご自身で今このアプリを起動した場合にのみ、アクセスを許可してください。',
  destination: 'どちらを選んでも {site} に戻ります。',
  allow: '許可する',
  refuse: '許可しない',
  expiredTitle: 'このページの有効期限が切れました',
  expired: 'アプリに戻って、最初からやり直してください。',
  badRequest: 'アプリから送られたリクエストを処理できませんでした。アプリに戻って、もう一度お試しください。',
  tooManyRequests:
    'お使いのネットワークからのログイン試行が多すぎます。1分ほど待ってからアプリに戻り、もう一度お試しください。',
  details: '問題が続く場合は、次の情報をアプリの運営者にお知らせください：',
  fault: 'サーバーで問題が発生しました。しばらくしてからもう一度お試しください。',
};
